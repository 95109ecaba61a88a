import type { Command } from 'commander'
import { completionWords } from './completion-words.ts'

export const shells = ['bash', 'zsh'] as const
export type Shell = (typeof shells)[number]

/** A script for a shell: `source <(./record-linker completion bash)`. */
export function completionScript(program: Command, shell: Shell): string {
  const cases = [...completionWords(program)].map(
    ([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`,
  )
  const start = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
  return `${start}# The words of a command are taken as its path as long as there is such a path.
_record_linker() {
  local word path='' next words='' index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    next="\${path:+$path }$word"
    if [ -n "$(_record_linker_words "$next")" ]; then path=$next; fi
  done
  words=$(_record_linker_words "$path")
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  # A flag that takes a file, or an argument that is one.
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
_record_linker_words() {
  local words=''
  case "$1" in
${cases.join('\n')}
  esac
  printf '%s' "$words"
}
complete -F _record_linker record-linker ./record-linker
`
}
