/**
 * A benchmark of parts that share one lab, as a program:
 *
 *   --part NAME   only that part; may be repeated
 *   --short       all of it in seconds, for a test; the figures mean nothing
 *   -o json       a list of { name, value, goal, unit, ok }
 *   --markdown    the table for its page in docs
 */
import { exitCode, readArgs, readOutput } from './exit-code.ts'
import type { Measure } from './limiter/stories/story.ts'
import { printReport } from './origin/report.ts'
import { playInTurn, wantedParts } from './parts.ts'

interface Lab {
  readonly close: () => Promise<void>
}

interface Part<OwnLab> {
  readonly title: string
  readonly measure: (lab: OwnLab, isShort: boolean) => Promise<readonly Measure[]>
}

/** @param name its folder. @returns The exit code: 1 when a goal is missed, 2 for wrong usage. */
export function partBench<OwnLab extends Lab>(
  name: string,
  args: readonly string[],
  parts: Readonly<Record<string, Part<OwnLab>>>,
  openLab: () => Promise<OwnLab>,
): Promise<number> {
  return exitCode(async () => {
    const { values } = readArgs(name, {
      args: [...args],
      options: {
        part: { type: 'string', multiple: true, default: [] },
        short: { type: 'boolean', default: false },
        output: { type: 'string', short: 'o', default: 'text' },
        markdown: { type: 'boolean', default: false },
      },
    })
    const chosen = wantedParts(name, values.part, Object.keys(parts))
    const output = readOutput(name, values)
    const lab = await openLab()
    try {
      const wanted = Object.entries(parts).flatMap(([part, how]) =>
        chosen.includes(part) ? [{ name: part, ...how }] : [],
      )
      const played = await playInTurn(wanted, ({ measure }) => measure(lab, values.short))
      return printReport(played, output)
    } finally {
      await lab.close()
    }
  })
}
