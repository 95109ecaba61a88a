/** The parts of a benchmark: those that are wanted, one after the other. */
import { benchUsage } from './exit-code.ts'
import type { Measure } from './limiter/stories/story.ts'
import { lineText, type PlayedPart, reportLines } from './origin/report.ts'

/**
 * @param wanted Of `--part`; none: all.
 * @returns in the order of `known`
 * @throws UsageError for a part that there is not
 */
export function wantedParts<Name extends string>(
  bench: string,
  wanted: readonly string[],
  known: readonly Name[],
): readonly Name[] {
  const unknown = wanted.find((name) => !known.some((one) => one === name))
  if (unknown !== undefined) {
    throw benchUsage(bench, `--part is ${unknown}, expected one of ${known.join(', ')}`)
  }
  return known.filter((name) => wanted.length === 0 || wanted.includes(name))
}

/** Measures part by part, and says on stderr what each has brought: what took minutes is not lost where a later one breaks. */
export async function playInTurn<Part extends Omit<PlayedPart, 'measures'>>(
  parts: readonly Part[],
  measure: (part: Part) => Promise<readonly Measure[]>,
): Promise<readonly PlayedPart[]> {
  const played: PlayedPart[] = []
  for (const part of parts) {
    const { name, title } = part
    process.stderr.write(`${name}: ${title}\n`)
    const done = { name, title, measures: await measure(part) }
    played.push(done)
    for (const line of reportLines([done])) process.stderr.write(`  ${lineText(line)}\n`)
  }
  return played
}
