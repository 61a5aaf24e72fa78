# Completion of gemmscope's commands, options and stages for bash: asked of the program, so that it is always its own.
_gemmscope() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} program=${COMP_WORDS[0]} command='' word
    COMPREPLY=()
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $word =~ ^[a-z]+$ ]]; then
            command=$word
            break
        fi
    done
    case $previous in
    --stage | --compare | verify | bench | tune | counters | warps | code | record)
        if [[ $current != -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$("$program" stages 2>/dev/null | grep -oE '^[a-z][a-z0-9_]+')" -- "$current")
            return
        fi
        ;;
    --backend)
        mapfile -t COMPREPLY < <(compgen -W "cuda cpu" -- "$current")
        return
        ;;
    --theme)
        mapfile -t COMPREPLY < <(compgen -W "light dark" -- "$current")
        return
        ;;
    esac
    if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" ${command:+"$command"} --help 2>/dev/null |
            grep -oE '^ +(-[a-z],)?--[a-z-]+' | grep -oE -- '--[a-z-]+')" -- "$current")
    elif [[ -z $command ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$("$program" --help 2>/dev/null |
            sed -n '/^Subcommands:/,$ s/^  \([a-z]\{1,\}\) .*/\1/p')" -- "$current")
    fi
    if ((${#COMPREPLY[@]} == 0)); then
        compopt -o default 2>/dev/null
    fi
}
complete -F _gemmscope gemmscope
