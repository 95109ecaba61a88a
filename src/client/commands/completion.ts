import { Argument, type Command } from 'commander'
import { completionScript, type Shell, shells } from '../completion/bash-completion.ts'

export function register(program: Command): void {
  program
    .command('completion')
    .summary('commands and flags with the tab key')
    .description('Prints a script with which the shell completes commands and flags.')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  source <(./record-linker completion bash)
  ./record-linker completion zsh > ~/.record-linker-completion.zsh`,
    )
    .action((shell: Shell) => {
      process.stdout.write(completionScript(program, shell))
    })
}
