# bash completion of stet: eval "$(stet completion bash)"
# or, for all shells, this file as "stet" in ~/.local/share/bash-completion/completions

_stet() {
	local kind word words
	COMPREPLY=()
	words=$(command stet __complete bash "$COMP_WORDBREAKS" "${COMP_LINE:0:$COMP_POINT}" 2>/dev/null) || return 0
	{
		IFS= read -r kind
		while IFS= read -r word; do
			COMPREPLY+=("$word")
		done
	} <<<"$words"
	# compopt came with bash 4; without it there is a blank too many, and no file names.
	case $kind in
	part) compopt -o nospace 2>/dev/null ;;
	files) compopt -o default 2>/dev/null ;;
	directories) compopt -o dirnames 2>/dev/null ;;
	commands)
		while IFS= read -r word; do
			COMPREPLY+=("$word")
		done < <(compgen -c -- "$2")
		;;
	esac
	if [[ -z ${COMPREPLY[*]} ]]; then
		COMPREPLY=()
	fi
	return 0
}

complete -F _stet stet
