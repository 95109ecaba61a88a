import { readFileSync } from 'node:fs'
import type { Ask, OriginEntry } from './origin-entry.ts'

/** What the processes of one origin have written so far. */
export interface OriginLog {
  /** In order of arrival, all processes together. */
  asks(): readonly Ask[]
  /** Distinct questions that were answered. */
  answered(): number
  /** When requests came, the manifest's included. */
  requestsMs(): readonly number[]
}

/** @param files of the processes, so far */
export function originLog(files: () => readonly string[]): OriginLog {
  const entries = () => files().map(entriesOf)
  const asks = () => entries().flatMap(asksOf)
  return {
    asks,
    answered: () => {
      const given = asks().filter(({ outcome }) => outcome === 'answered')
      return new Set(given.map(({ question }) => question)).size
    },
    requestsMs: () =>
      entries()
        .flat()
        .flatMap((entry) => (entry.kind === 'asked' ? [entry.atMs] : [])),
  }
}

function asksOf(entries: readonly OriginEntry[]): readonly Ask[] {
  const answered = new Set(entries.flatMap((one) => (one.kind === 'answered' ? [one.id] : [])))
  return entries.flatMap((entry) => {
    if (entry.kind !== 'asked') return []
    const { atMs } = entry
    const outcome = entry.refused ? 'refused' : answered.has(entry.id) ? 'answered' : 'lost'
    return entry.questions.map((question) => ({ question, atMs, outcome }) as const)
  })
}

/** Without the line that a killed process did not finish. */
function entriesOf(file: string): readonly OriginEntry[] {
  const text = readFileSync(file, 'utf8')
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n')
  return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as OriginEntry]))
}
