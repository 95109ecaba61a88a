/** The pages and the API of a stack whose owner sits in front of it. */
import type { KeptPorts } from './kept-ports.ts'
import type { ProcessRecord } from './process-record.ts'
import { programPart, type ProgramPart } from './program-part.ts'
import { startOnKeptPorts } from './server-part.ts'

/** Streams are ended, judgments that are on their way are written. */
const DRAIN_MS = 3000

export interface PagesPartOptions {
  /** undefined: none are served. */
  readonly program: URL | undefined
  readonly ports: KeptPorts
  readonly processes: ProcessRecord
  readonly logFile: string
  readonly env: () => NodeJS.ProcessEnv
}

export function pagesPart(
  options: PagesPartOptions,
): (ProgramPart & { readonly address: () => string }) | undefined {
  const { program, ports, processes, logFile, env } = options
  if (program === undefined) return undefined
  const port = () => ports.last('pages') ?? 0
  const part = programPart('pages', DRAIN_MS, processes, () => ({
    entry: program,
    args: [String(port())],
    env: env(),
    logFile,
  }))
  return {
    ...part,
    address: () => `http://127.0.0.1:${port()}`,
    start: (signal) => startOnKeptPorts(ports, ['pages'], () => part.start(signal)),
  }
}
