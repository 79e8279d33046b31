# stet's integration with fish: marks of prompts, commands and their ends (OSC 133), the directory (OSC 7)
# and the git branch (OSC 7727), for the terminal that stet gives its panes. It changes nothing else.
#
# fish finds it by XDG_DATA_DIRS, or a startup file evaluates it (stet shell-integration fish | source).

# What stet has put into the environment is taken out again before anything else runs.
set -l __stet_token
if set -q STET_SHELL
    set __stet_token $STET_SHELL
    if set -q STET_SHELL_WAS
        set -gx XDG_DATA_DIRS $STET_SHELL_WAS
    else
        set -e XDG_DATA_DIRS
    end
    set -l ours (string replace -r '/vendor_conf\.d/[^/]*$' '' -- (status filename))
    for name in fish_function_path fish_complete_path __fish_vendor_completionsdirs __fish_vendor_functionsdirs __fish_vendor_confdirs
        if set -q $name
            set -l kept (string match -v -- "$ours*" $$name)
            set -g $name $kept
        end
    end
end
set -e STET_SHELL STET_SHELL_HOW STET_SHELL_WAS STET_SHELL_RECENT

if status is-interactive; and set -q STET STET_PANE; and test "$TERM" != dumb; and not set -q __stet_aid; and isatty stdout
    set -g __stet_aid $fish_pid
    test -n "$__stet_token"; and set -g __stet_aid $__stet_token

    # The git branch of the directory, or the beginning of the commit.
    function __stet_branch
        set -l dir $PWD
        set -l head
        while test -n "$dir"
            if test -f $dir/.git/HEAD
                set head $dir/.git/HEAD
                break
            else if test -f $dir/.git # a worktree or a submodule
                read -l line <$dir/.git
                set line (string replace 'gitdir: ' '' -- $line)
                string match -q '/*' -- $line; or set line $dir/$line
                set head $line/HEAD
                break
            end
            set dir (string replace -r '/[^/]*$' '' -- $dir)
        end
        if test -n "$head" -a -r "$head"
            read -l line <$head
            set -l name (string replace -f -r '^ref: refs/heads/([^[:cntrl:];=]+)$' '$1' -- $line)
            or set name (string replace -f -r '^([0-9a-f]{10})[0-9a-f]+$' '$1' -- $line)
            echo -n $name
        end
    end

    function __stet_where --on-event fish_prompt
        printf '\e]7;file://%s%s\a' $hostname (string escape --style=url -- $PWD)
        printf '\e]7727;%s\a' (__stet_branch)
    end

    # From version 4 on fish makes its own marks.
    if not string match -q -r '^[4-9]|^\d\d' -- $version
        function __stet_begun --on-event fish_preexec
            set -g __stet_ran 1
            set -l text
            if not string match -q -r '^\s' -- $argv[1]; and test (string length -- "$argv[1]") -le 4096
                set text ';cmdline_url='(string escape --style=url -- "$argv[1]" | string collect)
            end
            printf '\e]133;C;aid=%s%s\a' $__stet_aid $text
        end

        function __stet_done --on-event fish_postexec
            set -l code $status
            test -n "$__stet_ran"; or return
            set -e __stet_ran
            printf '\e]133;D;%s;aid=%s;took=%s\a' $code $__stet_aid $CMD_DURATION
        end

        function __stet_prompt --on-event fish_prompt
            printf '\e]133;A;aid=%s\a' $__stet_aid
            if not functions -q __stet_fish_prompt; and functions -q fish_prompt
                functions -c fish_prompt __stet_fish_prompt
                function fish_prompt
                    __stet_fish_prompt
                    printf '\e]133;B\a'
                end
            end
        end
    end
end
