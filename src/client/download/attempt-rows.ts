import type { ExportedAttempt } from '../../db/download-export.repo.ts'
import { csvLine } from '../../tabular/write-csv.ts'
import { defuseFormula } from '../export/defuse-formula.ts'

const COMMA = { delimiter: ',', quote: '"' } as const

/** Columns of the attempts, in their order. */
const columns: Readonly<Record<string, (attempt: ExportedAttempt) => string | number | null>> = {
  at: ({ at }) => at.toISOString(),
  job: ({ jobId }) => jobId,
  artifact: ({ artifactId }) => artifactId,
  attempt: ({ attempt }) => attempt,
  resolver: ({ resolver }) => resolver,
  plan: ({ plan }) => plan,
  verb: ({ verb }) => verb,
  status: ({ status }) => status,
  reason: ({ reason }) => reason,
  host: ({ host }) => host,
  wire_bytes: ({ wireBytes }) => wireBytes,
  stored_bytes: ({ storedBytes }) => storedBytes,
  latency_ms: ({ latencyMs }) => latencyMs,
  cache: ({ cacheStatus }) => cacheStatus,
}

/** First line of the CSV, with its line break. */
export function attemptsHead(): string {
  return line(Object.keys(columns))
}

/** One attempt; addresses and names come from others, so cells that a spreadsheet would run are defused. */
export function attemptLine(attempt: ExportedAttempt): string {
  return line(
    Object.values(columns).map((valueOf) => defuseFormula(String(valueOf(attempt) ?? ''))),
  )
}

function line(cells: readonly string[]): string {
  return `${csvLine(cells, COMMA)}\n`
}
