/** Commands of `download` about what is stored. */
import type { Command } from 'commander'
import { age } from '../match/option-values.ts'
import { outputOption } from '../output.ts'
import type { ExportQueueFlags } from '../download/export-queue.ts'
import type { GarbageFlags } from '../download/keep-store.ts'
import type { OutputFlag } from './download.ts'
import { addQueueFlag, type QueueFlag } from './download-flags.ts'

export function defineDownloadExport(command: Command): void {
  addQueueFlag(command)
    .summary('files under readable names, the manifest, the attempts')
    .description(
      'Writes what a queue has fetched: its files into a folder, one line per file (JSON lines), or one per request (CSV). Without options the manifest goes to stdout.',
    )
    .option('--to <folder>', 'link or copy the files there')
    .option(
      '--name <template>',
      'of {id}, {n}, {job}, {name}, {item}, {property}, {sha256}',
      '{id}-{n}',
    )
    .option('--copy', 'never link: the files may be changed')
    .option('--manifest <file>', 'one line per file, with hash, address and licence; - is stdout')
    .option('--attempts <file>', 'one line per request; - is stdout')
    .addHelpText(
      'after',
      `
Examples:
  ./record-linker download export --to images --name '{id}-{n}'
  ./record-linker download export --manifest manifest.jsonl --attempts attempts.csv`,
    )
    .action(async (flags: ExportQueueFlags) => {
      const { exportQueue } = await import('../download/export-queue.ts')
      await exportQueue(flags)
    })
}

export function defineVerify(command: Command): void {
  addQueueFlag(command)
    .summary('read every stored file again')
    .description(
      'Hashes every content of the store of a queue, and compares it with its name and its rows.',
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExit code: 3 where a content is broken or missing.\n\nExample:\n  ./record-linker download verify',
    )
    .action(async (flags: QueueFlag & OutputFlag) => {
      const { verifyQueue } = await import('../download/keep-store.ts')
      await verifyQueue(flags)
    })
}

export function defineGarbage(command: Command): void {
  addQueueFlag(command)
    .summary('remove what nothing refers to')
    .description(
      'Removes parts of attempts that are over, and contents that no file of any queue has.',
    )
    .option('--unused-answers <age>', 'forget stored answers that were not used for so long', age)
    .option('--dry-run', 'only count')
    .addOption(outputOption())
    .addHelpText(
      'after',
      '\nExamples:\n  ./record-linker download gc --dry-run\n  ./record-linker download gc --unused-answers 90d',
    )
    .action(async (flags: GarbageFlags) => {
      const { cleanStore } = await import('../download/keep-store.ts')
      await cleanStore(flags)
    })
}
