function __webquarry_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~' -- $HOME $words[1])
    set -l index (math (count $words) - 1)
    _WEBQUARRY_COMPLETE=fish $program $index $words 2>/dev/null | string match -r '.+'
    or __fish_complete_path (commandline -ct)
end
complete -c webquarry -f -k -a '(__webquarry_complete)'
