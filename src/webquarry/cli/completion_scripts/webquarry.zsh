#compdef webquarry
if (( ! $+functions[compdef] )); then
    autoload -Uz compinit && compinit
fi
_webquarry() {
    local -a candidates
    candidates=("${(@f)$(_WEBQUARRY_COMPLETE=zsh ${~words[1]} $((CURRENT - 1)) \
        "${(@)words[1,CURRENT]}" 2>/dev/null)}")
    if [[ -z ${candidates[1]} ]]; then
        _files
    elif [[ ${candidates[1]%%:*} == *= ]]; then
        _describe -V webquarry candidates -S ''
    else
        _describe -V webquarry candidates
    fi
}
compdef _webquarry webquarry
