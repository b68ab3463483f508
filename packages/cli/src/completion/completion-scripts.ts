/** The shells that have a script. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/*
 * Each script asks `skein complete` with the words of the line: a line of output is a candidate, a tab and its description. Without
 * any, the shell completes file names.
 */

const bash = `# skein completion for bash: source <(skein completion bash)
_skein() {
  local value
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do COMPREPLY+=("$value"); done < <(skein complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [ "\${#COMPREPLY[@]}" -eq 0 ]; then compopt -o default 2>/dev/null; fi
}
complete -F _skein skein
`;

const zsh = `#compdef skein
# skein completion for zsh: source <(skein completion zsh)
_skein() {
  local line
  local -a lines items
  lines=("\${(@f)$(skein complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -z "\${lines[*]}" ]]; then _files; return; fi
  for line in "\${lines[@]}"; do items+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); done
  _describe skein items
}
compdef _skein skein
`;

const fish = `# skein completion for fish: skein completion fish | source
complete -c skein -f -a '(skein complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
complete -c skein -n '__fish_prev_arg_in --repo --home --out --tls-cert --tls-key' -F
`;

/** The completion script of each shell. */
export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
