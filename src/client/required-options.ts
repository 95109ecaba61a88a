import type { Command } from 'commander'

/**
 * Asks for required options after commander has refused unknown ones and arguments too many: else a mistyped
 * `--prject 123` is told as a missing `--project`.
 */
export function requireOptionsLast(program: Command): void {
  const required = new Map<Command, readonly string[]>()
  for (const command of withChildren(program)) {
    const mandatory = command.options.filter((option) => option.mandatory)
    required.set(
      command,
      mandatory.map((option) => option.attributeName()),
    )
    for (const option of mandatory) option.mandatory = false
  }
  program.hook('preAction', (_, command) => {
    const missing = (required.get(command) ?? []).find(
      (name) => command.getOptionValue(name) === undefined,
    )
    const option = command.options.find((one) => one.attributeName() === missing)
    if (option === undefined) return
    command.error(`error: required option '${option.flags}' not specified`, {
      code: 'commander.missingMandatoryOptionValue',
    })
  })
}

/** A command, its subcommands, and theirs. */
export function withChildren(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withChildren)]
}
