/** Ages of answers as people write them: `90d`, `12h`, `30m`, `0d`. */

const unitsMs: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
}
const LONGEST_MS = 100 * 365 * 86_400_000

/** @returns ms; undefined for what is no age from 0 to a hundred years */
export function parseAge(text: string): number | undefined {
  const parts = /^(\d{1,10})([wdhms])$/.exec(text.trim())
  const ms = Number(parts?.[1]) * (unitsMs[parts?.[2] ?? ''] ?? Number.NaN)
  return ms <= LONGEST_MS ? ms : undefined
}

/** In the largest unit that says it exactly: `30d`, `36h`. */
export function ageText(ms: number): string {
  const [unit, unitMs] = Object.entries(unitsMs)
    .slice(1)
    .find(([, size]) => ms % size === 0) ?? ['s', 1_000]
  return `${Math.round(ms / unitMs)}${unit}`
}
