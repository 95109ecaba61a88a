/**
 * Seeded random faults over a match with real processes: kill -9 and SIGSTOP of worker, Temporal, PostgreSQL and
 * origin, power cuts, resets, 429, 5xx, a full disk, double starts, cancels. Then nothing may show that anything
 * happened, but that some questions were asked again.
 *
 *   npm run test:faults -- test/faults/seeded-faults.test.ts         20 seeds, 5,000 records, 12 faults each: 1 h
 *   npm test -- --project seeded-faults                              3 seeds, 500 records, 6 faults: in every test run
 *   RECORD_LINKER_FAULT_SEEDS=7,8 …                                  just these, in either form
 */
import { expect, it } from 'vitest'
import type { Cli } from '../support/cli.ts'
import { report } from './report.ts'
import { faultText } from './seeded/fault.ts'
import { planFaults } from './seeded/plan-faults.ts'
import { playSeed, undisturbedTable } from './seeded/play-seed.ts'

// The three short ones have every kind of fault between them.
const isShort = process.env['RECORD_LINKER_FAULTS'] === 'short'
const form = isShort
  ? { records: 500, faults: 6, longestMs: 2_000, seeds: [1, 26, 29] }
  : {
      records: 5_000,
      faults: 12,
      longestMs: 14_000,
      seeds: Array.from({ length: 20 }, (_, n) => n + 1),
    }
const named = process.env['RECORD_LINKER_FAULT_SEEDS']
const seeds = named === undefined ? form.seeds : named.split(',').map(Number)
const command = isShort
  ? 'npm test -- --project seeded-faults'
  : 'npm run test:faults -- test/faults/seeded-faults.test.ts'
/** Only what hangs takes so long. */
const HANGS_MS = 45 * 60_000

let table: Promise<string> | undefined

/** Made once, in the stack of the first seed. */
function undisturbed(cli: Cli): Promise<string> {
  table ??= undisturbedTable(cli, form.records)
  return table
}

it.each(seeds)(
  'seed %i: whatever dies, the match ends as if nothing had',
  async (seed) => {
    const plan = planFaults(seed, form)
    const story = [
      `seed ${seed}, ${form.records} records, ${plan.entriesPerTask ?? 'as many as fit'} per task:`,
      ...plan.faults.map((fault) => `  ${faultText(fault)}`),
      `again: RECORD_LINKER_FAULT_SEEDS=${seed} ${command}`,
    ].join('\n')
    try {
      const played = await playSeed({ plan, records: form.records, undisturbed })
      const { counts, ends, questions, askedAgain, tookMs, left } = played
      report(
        `seed ${seed}: ${left.length === 0 ? 'nothing left' : left.join(' ')}; ${countsText(counts)}; ${askedAgain} of ${questions} questions answered again; ` +
          `commands: ${countsText(ends)}; ${Math.round(tookMs / 1000)} s`,
      )
      expect(played.left).toEqual([])
    } catch (error) {
      throw new Error(`${story}\n${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    }
  },
  HANGS_MS,
)

function countsText(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, count]) => `${count} ${name}`).join(', ')
}
