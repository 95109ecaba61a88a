import type { Command } from 'commander'
import { outputOption } from '../output.ts'
import type { OutputFlag } from './download.ts'
import { addSetFlags, type DownloadSetFlags } from './download-flags.ts'

export function defineDownloadConfig(command: Command): void {
  addSetFlags(command)
    .summary('what a queue is fetched with')
    .description(
      'Shows every setting of a queue and whether it is the default. With a file or flags: what it would be with them; nothing is changed.',
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker download config
  ./record-linker download config -c queue.json --max-per-host 2 -o json`,
    )
    .action(async (flags: DownloadSetFlags & OutputFlag) => {
      const { showOptions } = await import('../download/show-options.ts')
      await showOptions(flags)
    })
}
