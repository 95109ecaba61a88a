import type { Command } from 'commander'

/** What may follow each command: `project` → `create list …`, `project create` → `--dataset …`. */
export function completionWords(program: Command): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, readonly string[]>()
  const visit = (command: Command, path: string): void => {
    const children = command.commands.flatMap((child) => [child.name(), ...child.aliases()])
    const flags = command.options.flatMap(({ long, short, hidden }) =>
      hidden ? [] : [long ?? short ?? ''],
    )
    words.set(path, [...children, ...flags, '--help'])
    for (const child of command.commands) {
      for (const name of [child.name(), ...child.aliases()]) visit(child, `${path} ${name}`.trim())
    }
  }
  visit(program, '')
  return words
}
