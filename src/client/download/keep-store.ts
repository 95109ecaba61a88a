import { collectGarbage } from '../../store/collect-garbage.ts'
import { type FaultyBlob, verifyExitCode, verifyStore } from '../../store/verify-store.ts'
import type { QueueFlag } from '../commands/download-flags.ts'
import type { OutputFlag } from '../commands/download.ts'
import { withCommandContext } from '../command-context.ts'
import { printAnswer, say, tableText } from '../output.ts'
import { createProgressLine } from '../progress-line.ts'
import { bytesText } from './bytes-text.ts'
import { knownQueue } from './opened-queue.ts'
import { withStore } from './opened-store.ts'

/** Three times what a heartbeat may take, ms: no attempt writes any more to what is older and has no token. */
const PART_AGE_MS = 90_000
const HOUR_MS = 3_600_000

/** The command `download verify`. */
export async function verifyQueue(flags: QueueFlag & OutputFlag): Promise<void> {
  await withCommandContext(async ({ config, db }) => {
    const queue = await knownQueue(db, flags.queue)
    await withStore(config, queue, async (store) => {
      const line = createProgressLine()
      const found: FaultyBlob[] = []
      const report = await verifyStore(db, store, {
        progress: ({ blobs, bytes }) => line.show(`${blobs} contents read · ${bytesText(bytes)}`),
        fault: (blob) => void found.push(blob),
      }).finally(() => line.end())
      const { blobs, bytes, whole, faults } = report
      printAnswer(flags.output, { store: store.uri, blobs, bytes, whole, ...faults, found }, () =>
        [
          tableText(
            ['contents', 'whole', 'broken', 'missing', 'unlisted'],
            [[blobs, whole, faults.broken, faults.missing, faults.unlisted]],
          ),
          ...found.map(({ sha256, fault }) => `  ${sha256}: ${fault}`),
        ].join('\n'),
      )
      if (faults.unlisted > 0)
        say('What nothing refers to is removed by: ./record-linker download gc')
      process.exitCode = verifyExitCode(report)
    })
  })
}

export interface GarbageFlags extends QueueFlag, OutputFlag {
  readonly dryRun?: true
  /** Ms. */
  readonly unusedAnswers?: number
}

/** The command `download gc`. */
export async function cleanStore(flags: GarbageFlags): Promise<void> {
  await withCommandContext(async ({ config, db }) => {
    const queue = await knownQueue(db, flags.queue)
    await withStore(config, queue, async (store) => {
      const report = await collectGarbage(db, store, {
        nowMs: Date.now(),
        partAgeMs: PART_AGE_MS,
        blobAgeMs: HOUR_MS,
        unusedAnswerMs: flags.unusedAnswers,
        isDryRun: flags.dryRun ?? false,
      })
      const { parts, blobs, rows, answers } = report
      printAnswer(
        flags.output,
        { store: store.uri, dryRun: flags.dryRun ?? false, ...report },
        () =>
          tableText(
            ['', 'files', 'bytes'],
            [
              ['parts of lost attempts', parts.files, bytesText(parts.bytes)],
              ['contents nothing refers to', blobs.files, bytesText(blobs.bytes)],
              ['rows without a content', rows, ''],
              ['answers not used', answers, ''],
            ],
          ),
      )
      if (flags.dryRun === true) say('Nothing was removed.')
    })
  })
}
