import { isDeepStrictEqual } from 'node:util'
import { defaultQueueOptions, type QueueOptions } from '../../core/download/queue-options.ts'
import { findQueue } from '../../db/download-queues.repo.ts'
import type { DownloadSetFlags } from '../commands/download-flags.ts'
import { withMatchContext } from '../match/match-context.ts'
import { type OutputFormat, printAnswer, say, tableText } from '../output.ts'
import { wantedOptions } from './download-options.ts'

export interface ShownOption {
  readonly value: unknown
  /** `queue`: as it is kept with the queue, or given now. */
  readonly source: 'default' | 'queue'
}

/** What a queue is, or with these flags would be, fetched with. @throws UsageError `bad_config` */
export async function showOptions(
  flags: DownloadSetFlags & { readonly output: OutputFormat },
): Promise<void> {
  await withMatchContext(async ({ db }) => {
    const before = await findQueue(db, flags.queue)
    const options = (await wantedOptions(flags, before?.options)) ?? before?.options
    const shown = shownOptions(options ?? defaultQueueOptions)
    printAnswer(flags.output, Object.fromEntries(shown), () =>
      tableText(
        ['setting', 'value', 'from'],
        shown.map(([name, { value, source }]) => [name, valueText(value), source]),
      ),
    )
    const flag = flags.queue === 'default' ? '' : ` --queue ${flags.queue}`
    say(`Change it: ./record-linker download run -c queue.json${flag}; see docs/download.md`)
  })
}

/** In the order in which they are documented. */
export function shownOptions(options: QueueOptions): readonly (readonly [string, ShownOption])[] {
  const values: Readonly<Record<string, unknown>> = { ...options }
  return Object.entries(defaultQueueOptions).map(([name, usual]) => {
    const value = values[name]
    return [name, { value, source: isDeepStrictEqual(value, usual) ? 'default' : 'queue' }]
  })
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
