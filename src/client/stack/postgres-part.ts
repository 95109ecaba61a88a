import { randomBytes } from 'node:crypto'
import { homePaths, type Home } from './home.ts'
import type { KeptPorts } from './kept-ports.ts'
import { stopPostgres } from './postgres-pid-file.ts'
import type { PostgresPlace } from './postgres-place.ts'
import { postgresAnswers, postgresUrl, startPostgres } from './postgres-server.ts'
import { isRunning, type ProcessMark } from './process-identity.mjs'
import type { ProcessRecord } from './process-record.ts'
import { readIfThere, writePrivateFile } from './private-file.ts'
import { startOnKeptPorts, type ServerPart } from './server-part.ts'

/** The embedded PostgreSQL of a home. */
export function postgresPart(
  home: Home,
  place: PostgresPlace,
  ports: KeptPorts,
  processes: ProcessRecord,
): ServerPart {
  const paths = homePaths(home.path)
  const password = databasePassword(paths.password)
  const lastPort = () => ports.last('postgres') ?? 0
  const start = (port: number, signal: AbortSignal) =>
    startPostgres({
      place,
      port,
      password,
      logFile: paths.logs.postgres,
      onStart: (mark) => processes.set('postgres', mark),
      signal,
    })

  return {
    name: 'PostgreSQL',
    address: () => postgresUrl(lastPort(), password),
    start: async (signal) => {
      const mark =
        (await adopt(processes.get('postgres'), lastPort(), password)) ??
        (await startOnKeptPorts(ports, ['postgres'], ([port = 0]) => start(port, signal)))
      writePrivateFile(paths.databaseUrl, `${postgresUrl(lastPort(), password)}\n`)
      return mark
    },
    stop: async (urgent) => {
      const mark = processes.get('postgres')
      if (mark) await stopPostgres(mark, urgent)
    },
  }
}

/** What a killed keeper left, when it serves us; else it is stopped. */
async function adopt(
  left: ProcessMark | undefined,
  port: number,
  password: string,
): Promise<ProcessMark | undefined> {
  if (left === undefined || !isRunning(left)) return undefined
  if (await postgresAnswers(port, password)) return left
  await stopPostgres(left, false)
  return undefined
}

/** Random, made once per home; only its owner can read it. */
function databasePassword(file: string): string {
  const kept = readIfThere(file)
  if (kept !== undefined) return kept
  const password = randomBytes(24).toString('base64url')
  writePrivateFile(file, password)
  return password
}
