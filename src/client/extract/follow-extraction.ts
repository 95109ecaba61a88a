import {
  addSample,
  durationText,
  type RateSample,
  ratePerSecond,
  timeLeftMs,
} from '../../core/work-rate.ts'
import { extractProgress } from '../../db/extract-report.repo.ts'
import { findExtractRun } from '../../db/extract-runs.repo.ts'
import { exitCodes } from '../exit-codes.ts'
import { followWorkflow } from '../match/follow-workflow.ts'
import type { MatchContext } from '../match/match-context.ts'
import { type OutputFormat, say } from '../output.ts'
import { printExtraction } from './extraction-report.ts'
import { reconciledExtraction } from './reconcile-extraction.ts'
import type { ExtractHandle } from './start-extraction.ts'

/** Shows how far an extraction is until it has ended or waits for a person, and reports it; or until Ctrl-C, which leaves it going. */
export async function followExtraction(
  context: MatchContext,
  runId: number,
  handle: ExtractHandle,
  output: OutputFormat,
): Promise<void> {
  const { client, db } = context
  let samples: readonly RateSample[] = []
  const ended = await followWorkflow(context, handle, async () => {
    const run = await findExtractRun(db, runId)
    const types = await extractProgress(db, runId)
    const done = types.reduce((sum, { rows }) => sum + rows, 0)
    samples = addSample(samples, { atMs: Date.now(), done })
    if (run?.pausedReason != null) {
      return { text: `PAUSED: ${run.pausedReason}`, pausedReason: run.pausedReason }
    }
    const text = [
      ...types.map(
        ({ type, rows, total }) => `${type} ${rows}${total === null ? '' : `/${total}`}`,
      ),
      `${ratePerSecond(samples).toFixed(1)} items/s`,
      ...leftText(types, samples),
    ].join(' · ')
    return { text }
  })
  if (ended === 'left') {
    say(
      `\nLeft. It goes on; see: ./record-linker extract status ${runId}\nStop it: ./record-linker extract cancel ${runId}`,
    )
    process.exitCode = exitCodes.interrupted
    return
  }
  await printExtraction(db, await reconciledExtraction(client, db, runId), output)
  if (ended === 'paused') process.exitCode = exitCodes.failed
}

/** Only where every source list says how long it is. */
function leftText(
  types: readonly { readonly total: number | null }[],
  samples: readonly RateSample[],
): readonly string[] {
  let total = 0
  for (const type of types) {
    if (type.total === null) return []
    total += type.total
  }
  const left = timeLeftMs(samples, total)
  return left === null ? [] : [`~${durationText(left)} left`]
}
