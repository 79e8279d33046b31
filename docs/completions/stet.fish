# fish completion of stet: stet completion fish > ~/.config/fish/completions/stet.fish

function __stet_complete
    set -l before (commandline -opc)
    set -e before[1]
    set -l word (commandline -ct)
    set -l answer (command stet __complete fish $before "$word" 2>/dev/null)
    or return
    if test (count $answer) -gt 1
        printf '%s\n' $answer[2..-1]
    end
    switch "$answer[1]"
        case files
            __fish_complete_path "$word"
        case directories
            __fish_complete_directories "$word"
        case commands
            __fish_complete_command
    end
end

complete -c stet -f -a '(__stet_complete)'
