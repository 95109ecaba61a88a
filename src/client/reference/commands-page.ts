/** docs/commands.md: the help of every command, as it prints it. */
import type { Command } from 'commander'
import { leafCommands } from './leaf-commands.ts'

const WIDTH = 110

/** @returns Markdown */
export function commandsPage(program: Command): string {
  const parts = leafCommands(program).map(
    ({ path, command }) => `## ${path}\n\n\`\`\`text\n${helpOf(command).trim()}\n\`\`\``,
  )
  return `# Commands

<!-- Made by scripts/docs.mjs from the commands themselves; a check compares the two. -->

What each command prints with \`--help\`. Data goes to stdout, the rest to stderr; exit codes: 0 done, 1 failed, 2 wrong usage,
3 finished with failed records or rejected lines, 4 a server is not reachable, 130 left running. Settings of the environment:
[configuration.md](configuration.md). Tab completion: \`./record-linker completion bash\`, or \`zsh\`.

${parts.join('\n\n')}
`
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({
    writeOut: (part) => {
      text += part
    },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false,
  })
  command.outputHelp()
  return text.replaceAll(/[ \t]+$/gm, '')
}
