import type { Command } from 'commander'

export interface LeafCommand {
  /** As it is typed: `project create`. */
  readonly path: string
  readonly command: Command
}

/** The commands that do something, in the order of `--help`; those that only group others are left out. */
export function leafCommands(
  parent: Command,
  before: readonly string[] = [],
): readonly LeafCommand[] {
  return parent.commands.flatMap((command) => {
    const path = [...before, command.name()]
    if (command.commands.length > 0 && command.registeredArguments.length === 0) {
      return leafCommands(command, path)
    }
    return [{ path: path.join(' '), command }, ...leafCommands(command, path)]
  })
}
