_webquarry() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("$line")
    done < <(_WEBQUARRY_COMPLETE=bash "${COMP_WORDS[0]/#\~/$HOME}" "$COMP_CWORD" \
        "${COMP_WORDS[@]}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace
    fi
}
complete -o bashdefault -o default -F _webquarry webquarry
