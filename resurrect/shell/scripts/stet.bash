# stet's integration with bash: marks of prompts, commands and their ends (OSC 133), the directory (OSC 7)
# and the git branch (OSC 7727), for the terminal that stet gives its panes. It changes nothing else.
#
# stet starts bash with this file in the place of the startup files, which it then reads as bash would have,
# or a startup file evaluates it (stet shell-integration bash). It is written for bash 3.2 and later, and has to work
# under whatever a user sets: set -e, set -u, posix, other values of IFS, traps, functions named like commands.

# What stet has put into the environment is taken out again before anything else runs.
if [[ -z ${__stet_loading-}${__stet_on-} ]]; then # else one of the user's files evaluates this one
	__stet_loading=1
	__stet_token=${STET_SHELL-} __stet_recent=${STET_SHELL_RECENT-} __stet_how=${STET_SHELL_HOW-}
fi
if [[ -n ${__stet_how-} ]]; then
	if [[ -n ${STET_SHELL_WAS+set} ]]; then
		export ENV="$STET_SHELL_WAS"
	elif [[ $__stet_how == env ]]; then
		builtin unset -v ENV
	fi
	if [[ $__stet_how == env ]]; then
		builtin set +o posix
		builtin shopt -u inherit_errexit shift_verbose 2>/dev/null
		if [[ $(builtin declare -p HISTFILE 2>/dev/null) != 'declare -x'* ]]; then
			HISTFILE=$HOME/.bash_history # in posix mode bash has taken another one
		fi
	fi
fi
builtin unset -v STET_SHELL STET_SHELL_HOW STET_SHELL_WAS STET_SHELL_RECENT

# The functions come first: no alias of the user's can be in them.

# __stet_encode makes $1 a text without control characters, '%' and ';' in __stet_text: %XX stands for each.
__stet_encode() {
	__stet_text=${1//[%]/%25}
	__stet_text=${__stet_text//;/%3B}
	__stet_text=${__stet_text//$'\n'/%0A}
	__stet_text=${__stet_text//$'\t'/%09}
	if [[ $__stet_text == *[[:cntrl:]]* ]]; then
		local LC_ALL=C i c hex out=
		for ((i = 0; i < ${#__stet_text}; i++)); do
			c=${__stet_text:i:1}
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

# __stet_branch finds the git branch of the directory, or the beginning of the commit, in __stet_text.
__stet_branch() {
	local dir=$PWD head= line=
	__stet_text=
	while [[ -n $dir ]]; do
		if [[ -f $dir/.git/HEAD ]]; then
			head=$dir/.git/HEAD
			break
		elif [[ -f $dir/.git ]]; then # a worktree or a submodule
			IFS= builtin read -r line 2>/dev/null <"$dir/.git" || :
			line=${line#gitdir: }
			if [[ $line != /* ]]; then line=$dir/$line; fi
			head=$line/HEAD
			break
		fi
		dir=${dir%/*}
	done
	line=
	if [[ -n $head && -r $head ]]; then
		IFS= builtin read -r line 2>/dev/null <"$head" || :
		case $line in
		'ref: refs/heads/'*) __stet_text=${line#ref: refs/heads/} ;;
		*[!0-9a-f]*) ;;
		*) __stet_text=${line:0:10} ;;
		esac
	fi
	case $__stet_text in *[[:cntrl:]\;=]*) __stet_text= ;; esac
	return 0
}

# __stet_last gives the last entry of the history as bash lists it, number and all.
__stet_last() {
	if [[ -o history ]]; then HISTTIMEFORMAT= builtin history 1; fi
	return 0
}

# __stet_begun says that the command is being executed that is the last entry of the history. It runs in a
# subshell, from PS0. Where the entry is not a new one (HISTCONTROL, HISTIGNORE) nothing is told of the text.
__stet_begun() {
	local now text= __stet_text=
	now=$(__stet_last)
	case ":${HISTCONTROL-}:${HISTIGNORE:+ignorespace}:" in
	*:ignorespace:* | *:ignoreboth:*) if [[ $now != "${__stet_before-}" ]]; then text=$now; fi ;;
	*) text=$now ;;
	esac
	text=${text#"${text%%[![:space:]]*}"}
	text=${text#"${text%%[!0-9]*}"}
	text=${text:2}
	if [[ -n $text && ${#text} -le 4096 ]]; then
		__stet_encode "$text"
		__stet_text=";cmdline_url=$__stet_text"
	else
		__stet_text=
	fi
	if [[ ${__stet_start:-0} != 0 ]]; then __stet_text+=";start=$((__stet_start / 1000))"; fi
	builtin printf '\e]133;C;aid=%s%s\a' "$__stet_aid" "$__stet_text"
}

# __stet_now puts the time in microseconds into __stet_text; nothing where bash has no such clock.
__stet_now() {
	__stet_text=${EPOCHREALTIME-}
	__stet_text=${__stet_text//[!0-9]/}
	return 0
}

# __stet_keep passes the exit status on to the user's PROMPT_COMMAND behind it.
__stet_keep() {
	__stet_status=$?
	return "$__stet_status"
}

# __stet_done tells of the end of a command and gives the prompt its marks. It comes last in PROMPT_COMMAND,
# as that may set the prompt.
__stet_done() {
	local status=$? took=
	if [[ -n ${__stet_status-} ]]; then
		status=$__stet_status
		__stet_status=
	fi
	if [[ ! -t 1 ]]; then return 0; fi
	if [[ -n ${__stet_debug-} ]]; then __stet_armed=; fi
	if [[ ${__stet_ran-0} == 1 ]]; then
		__stet_now
		if [[ -n $__stet_text && ${__stet_start-0} != 0 ]]; then took=";took=$(((__stet_text - __stet_start) / 1000))"; fi
		builtin printf '\e]133;D;%s;aid=%s%s\a' "$status" "$__stet_aid" "$took"
	fi
	__stet_ran=0 __stet_start=0
	if [[ -n ${__stet_recent-} ]]; then __stet_remember; fi
	__stet_before=$(__stet_last)
	__stet_encode "$PWD"
	builtin printf '\e]7;file://%s%s\a' "${HOSTNAME-}" "$__stet_text"
	__stet_branch
	builtin printf '\e]7727;%s\a' "$__stet_text"
	__stet_mark
	if [[ -n ${__stet_debug-} && (-z ${__stet_keeps-} || ${PROMPT_COMMAND-} == *__stet_done) ]]; then
		__stet_arm # else what comes behind it this time would count as a command
	fi
	# What was put in front of it since has another status than the command.
	if [[ -n ${__stet_keeps-} && ! (${PROMPT_COMMAND-} == __stet_keep* && $PROMPT_COMMAND == *__stet_done) ]]; then
		took=${PROMPT_COMMAND-}
		took=${took//$'\n'__stet_done/}$'\n'
		PROMPT_COMMAND=__stet_keep$'\n'${took//__stet_keep$'\n'/}__stet_done
	fi
	return 0
}

# __stet_mark puts the marks into PS1 and PS0. PS1 may be exported: a shell in this shell finds names in it that
# say nothing there, and not the marks of this one.
__stet_mark() {
	local a='\[${__stet_a-}\]' b='\[${__stet_b-}\]' plain='\[\e]133;A;aid='$__stet_aid'\a\]' end='\[\e]133;B\a\]' c
	PS1=${PS1-}
	for c in "$a" "$b" "$plain" "$end"; do
		PS1=${PS1//"$c"/}
	done
	if ! builtin shopt -q promptvars; then a=$plain b=$end; fi
	PS1=$a$PS1$b
	if [[ -n ${__stet_debug-} ]]; then return 0; fi
	# The subscript is arithmetic, which is done in this very shell; what it names is not there.
	c='${__stet_none[__stet_ran=1]-}${__stet_none[__stet_start=${EPOCHREALTIME//[!0-9]/}+0]-}$(__stet_begun)'
	if ((BASH_VERSINFO[0] < 5)); then c='${__stet_none[__stet_ran=1]-}$(__stet_begun)'; fi
	if ! builtin shopt -q promptvars; then
		PS0=${PS0-}
		PS0=${PS0//"$c"/}
		__stet_ran=1 # it cannot be known
		c='\e]133;C;aid='$__stet_aid'\a'
	fi
	case ${PS0-} in *"$c"*) ;; *) PS0=${PS0-}$c ;; esac
	return 0
}

# Before 4.4 bash has no PS0; there the DEBUG trap serves, unless the user has one.
__stet_arm() {
	if [[ -z $(builtin trap -p DEBUG) ]]; then
		builtin trap '__stet_trapped' DEBUG
	fi
	__stet_armed=1
	return 0
}

__stet_trapped() {
	if [[ -n ${__stet_armed-} && ${#FUNCNAME[@]} == 1 && -z ${COMP_LINE+set} && $BASH_COMMAND != __stet_* ]]; then
		__stet_armed=
		__stet_ran=1
		__stet_now
		__stet_start=${__stet_text:-0}
		__stet_begun
	fi
	return 0
}

# __stet_remember puts the pane's own last commands on top of the history, without their becoming new ones
# that bash would write to its file.
__stet_remember() {
	if [[ -o history && -r $__stet_recent ]]; then builtin history -r "$__stet_recent" 2>/dev/null || :; fi
	__stet_recent=
	return 0
}

# bash-preexec has its own order in PROMPT_COMMAND: what would come behind its last part would count as a
# command of the user's. So we are one of its functions, where it is there before us.
__stet_install() {
	local name
	for name in PROMPT_COMMAND PS0 PS1; do # where an administrator allows no change there are no marks
		name=$(builtin declare -p "$name" 2>/dev/null) || :
		name=${name#declare } # what comes next are the attributes
		if [[ ${name%% *} == *r* ]]; then return 0; fi
	done
	__stet_aid=${__stet_token:-$$}
	__stet_a=$'\e]133;A;aid='$__stet_aid$'\a' __stet_b=$'\e]133;B\a'
	builtin export -n __stet_a __stet_b __stet_aid # as set -a would have them
	if ((BASH_VERSINFO[0] < 4 || BASH_VERSINFO[0] == 4 && BASH_VERSINFO[1] < 4)) || [[ -n ${__stet_old-} ]]; then __stet_debug=1; fi
	if [[ -n ${bash_preexec_imported-}${__bp_imported-} ]]; then
		precmd_functions+=(__stet_done)
		return 0
	fi
	if ((BASH_VERSINFO[0] > 5 || BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1)) && [[ -z ${__stet_debug-} ]]; then
		# Each element finds the status of the command.
		if [[ -n ${PROMPT_COMMAND[*]-} ]]; then
			PROMPT_COMMAND+=(__stet_done)
		else
			PROMPT_COMMAND=('' __stet_done) # what is assigned to the name later is the first
		fi
	else
		__stet_keeps=1
		PROMPT_COMMAND=__stet_keep${PROMPT_COMMAND:+$'\n'$PROMPT_COMMAND}$'\n'__stet_done
	fi
	return 0
}

# The user's files, as bash reads them: what they say is said at the top level.
if [[ ${__stet_how-} == login ]] || { [[ ${__stet_how-} == env ]] && builtin shopt -q login_shell; }; then
	__stet_how=
	if [[ -e /etc/profile ]]; then builtin source /etc/profile; fi
	if [[ -e ~/.bash_profile ]]; then
		builtin source ~/.bash_profile
	elif [[ -e ~/.bash_login ]]; then
		builtin source ~/.bash_login
	elif [[ -e ~/.profile ]]; then
		builtin source ~/.profile
	fi
elif [[ -n ${__stet_how-} ]]; then
	__stet_how=
	if [[ -e /etc/bash.bashrc ]]; then # where bash has been built to read one
		builtin source /etc/bash.bashrc
	elif [[ -e /etc/bash/bashrc ]]; then
		builtin source /etc/bash/bashrc
	elif [[ -e /etc/NIXOS && -e /etc/bashrc ]]; then
		builtin source /etc/bashrc
	fi
	if [[ -e ~/.bashrc ]]; then builtin source ~/.bashrc; fi
fi

if [[ $- == *i* && -n ${STET-} && -n ${STET_PANE-} && ${TERM-} != dumb && -z ${__stet_on-} && -t 1 ]]; then
	__stet_on=1
	__stet_install
fi
builtin unset -v __stet_how __stet_token __stet_loading
