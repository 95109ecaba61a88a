import type { Command } from 'commander'
import { completionWords } from './completion-words.ts'

export const shells = ['bash', 'zsh'] as const
export type Shell = (typeof shells)[number]

/** A script for a shell: `source <(./record-linker completion bash)`. */
export function completionScript(program: Command, shell: Shell): string {
  const cases = [...completionWords(program)].map(
    ([command, words]) => `    '${command}') offered='${words.join(' ')}' ;;`,
  )
  const start = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
  // No variable is called path, status, words or the like: in zsh these are the shell's own, and path is PATH.
  return `${start}# The words of a line are taken as a command as long as there is such a command.
_record_linker() {
  local typed command='' longer offered='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    typed=\${COMP_WORDS[index]}
    longer="\${command:+$command }$typed"
    if [ -n "$(_record_linker_words "$longer")" ]; then command=$longer; fi
  done
  offered=$(_record_linker_words "$command")
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
  # A flag that takes a file, or an argument that is one.
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
_record_linker_words() {
  local offered=''
  case "$1" in
${cases.join('\n')}
  esac
  printf '%s' "$offered"
}
complete -F _record_linker record-linker ./record-linker
`
}
