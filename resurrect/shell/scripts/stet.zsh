# stet's integration with zsh: marks of prompts, commands and their ends (OSC 133), the directory (OSC 7)
# and the git branch (OSC 7727), for the terminal that stet gives its panes. It changes nothing else.
#
# zshenv beside this file reads it, or a startup file evaluates it (stet shell-integration zsh).

# Text in __stet_text without control characters, '%' and ';': %XX stands for each.
__stet_encode() {
	emulate -L zsh -o extended_glob
	local c hex out=
	typeset -g __stet_text=${${${${1//\%/%25}//;/%3B}//$'\n'/%0A}//$'\t'/%09}
	if [[ $__stet_text == *[[:cntrl:]]* ]]; then
		setopt no_multibyte
		for c in ${(s::)__stet_text}; do
			if [[ $c == [[:cntrl:]] ]]; then
				builtin printf -v hex '%%%02X' "'$c"
				c=$hex
			fi
			out+=$c
		done
		__stet_text=$out
	fi
	return 0
}

# The git branch of the directory, or the beginning of the commit, in __stet_text.
__stet_branch() {
	emulate -L zsh
	local dir=$PWD head= line=
	typeset -g __stet_text=
	while [[ -n $dir ]]; do
		if [[ -f $dir/.git/HEAD ]]; then
			head=$dir/.git/HEAD
			break
		elif [[ -f $dir/.git ]]; then # a worktree or a submodule
			IFS= builtin read -r line 2>/dev/null <$dir/.git || :
			line=${line#gitdir: }
			if [[ $line != /* ]]; then line=$dir/$line; fi
			head=$line/HEAD
			break
		fi
		dir=${dir%/*}
	done
	line=
	if [[ -n $head && -r $head ]]; then
		IFS= builtin read -r line 2>/dev/null <$head || :
		case $line in
		('ref: refs/heads/'*) __stet_text=${line#ref: refs/heads/} ;;
		(*[^0-9a-f]*) ;;
		(*) __stet_text=${line[1,10]} ;;
		esac
	fi
	if [[ $__stet_text == *[[:cntrl:]\;=]* ]]; then __stet_text=; fi
	return 0
}

# The first of precmd_functions: the end of a command.
__stet_done() {
	local -i __stet_status=$?
	emulate -L zsh
	local took=
	local -i ms=0
	if [[ -t 1 && ${__stet_ran-0} == 1 ]]; then
		if (( __stet_start > 0 )); then
			ms=$(( (EPOCHREALTIME - __stet_start) * 1000 ))
			took=";took=$ms"
		fi
		builtin printf '\e]133;D;%s;aid=%s%s\a' $__stet_status $__stet_aid "$took"
	fi
	typeset -g __stet_ran=0
	return 0
}

# The last of precmd_functions: those before it may set the prompt.
__stet_prompt() {
	local -i percent=0
	if [[ -o prompt_percent ]]; then percent=1; fi
	emulate -L zsh
	if [[ $precmd_functions[1] != __stet_done || $precmd_functions[-1] != __stet_prompt || $preexec_functions[-1] != __stet_begun ]]; then
		__stet_hook
	fi
	if [[ -n ${__stet_recent-} ]]; then
		# Read like this they are no new commands, which zsh would write to its file.
		if [[ -r $__stet_recent ]]; then builtin fc -R $__stet_recent 2>/dev/null || :; fi
		typeset -g __stet_recent=
	fi
	if [[ ! -t 1 ]]; then return 0; fi
	__stet_encode "$PWD"
	builtin printf '\e]7;file://%s%s\a' "${HOST-}" "$__stet_text"
	__stet_branch
	builtin printf '\e]7727;%s\a' "$__stet_text"
	if (( percent )); then
		local a=$'%{\e]133;A;aid='$__stet_aid$'\a%}' b=$'%{\e]133;B\a%}' text=${PS1-}
		text=${text//$a/}
		typeset -g PS1=$a${text//$b/}$b
	else
		builtin printf '\e]133;A;aid=%s\a' $__stet_aid
	fi
	return 0
}

# The last of preexec_functions: $1 is what was typed.
__stet_begun() {
	local -i spaced=0 ms=0
	if [[ -o hist_ignore_space ]]; then spaced=1; fi
	emulate -L zsh
	local text=${1-}
	typeset -g __stet_ran=1 __stet_text=
	__stet_start=${EPOCHREALTIME:-0}
	if [[ $precmd_functions[(r)__stet_done] != __stet_done ]]; then __stet_hook; fi # somebody has made another list
	if [[ ! -t 1 ]]; then return 0; fi
	if [[ ${(t)PS1-} == *export* ]]; then # a shell in this shell must not make the marks of this one
		local a=$'%{\e]133;A;aid='$__stet_aid$'\a%}' b=$'%{\e]133;B\a%}'
		PS1=${${PS1//$a/}//$b/}
	fi
	if (( spaced )) && [[ $text == ' '* ]]; then text=; fi
	if [[ -n ${HISTORY_IGNORE-} && $text == ${~HISTORY_IGNORE} ]]; then text=; fi
	if [[ -n $text && ${#text} -le 4096 ]]; then
		__stet_encode "$text"
		text=";cmdline_url=$__stet_text"
	else
		text=
	fi
	if (( __stet_start > 0 )); then
		ms=$(( __stet_start * 1000 ))
		text+=";start=$ms"
	fi
	builtin printf '\e]133;C;aid=%s%s\a' $__stet_aid "$text"
	return 0
}

__stet_hook() {
	emulate -L zsh
	typeset -ga precmd_functions preexec_functions
	precmd_functions=(__stet_done ${precmd_functions:#__stet_(done|prompt)} __stet_prompt)
	preexec_functions=(${preexec_functions:#__stet_begun} __stet_begun)
	return 0
}

if [[ -o interactive && -n ${STET-} && -n ${STET_PANE-} && ${TERM-} != dumb && -z ${__stet_aid-} && -t 1 ]]; then
	typeset -g __stet_aid=${__stet_token:-$$}
	typeset -gF __stet_start=0
	zmodload zsh/datetime 2>/dev/null || :
	__stet_hook
fi
