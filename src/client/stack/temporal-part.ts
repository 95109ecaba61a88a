import { homePaths, type Home } from './home.ts'
import type { KeptPorts } from './kept-ports.ts'
import { isRunning, type ProcessMark } from './process-identity.mjs'
import type { ProcessRecord } from './process-record.ts'
import { startOnKeptPorts, type ServerPart } from './server-part.ts'
import { startTemporal, stopTemporal, temporalAnswers } from './temporal-server.ts'

/** The embedded Temporal server of a home. @param cli path of the Temporal CLI */
export function temporalPart(
  home: Home,
  cli: string,
  namespace: string,
  ports: KeptPorts,
  processes: ProcessRecord,
): ServerPart {
  const paths = homePaths(home.path)
  const address = () => `127.0.0.1:${ports.last('temporal') ?? 0}`
  const start = (port: number, uiPort: number, signal: AbortSignal) =>
    startTemporal({
      cli,
      port,
      uiPort,
      dataFile: paths.temporalData,
      namespace,
      logFile: paths.logs.temporal,
      onStart: (mark) => processes.set('temporal', mark),
      signal,
    })

  return {
    name: 'Temporal',
    address,
    start: async (signal) =>
      (await adopt(processes.get('temporal'), address(), namespace)) ??
      (await startOnKeptPorts(ports, ['temporal', 'temporalUi'], ([port = 0, uiPort = 0]) =>
        start(port, uiPort, signal),
      )),
    stop: async (urgent) => {
      const mark = processes.get('temporal')
      if (mark) await stopTemporal(mark, urgent)
    },
  }
}

/** What a killed keeper left, when it serves us; else it is stopped. */
async function adopt(
  left: ProcessMark | undefined,
  address: string,
  namespace: string,
): Promise<ProcessMark | undefined> {
  if (left === undefined || !isRunning(left)) return undefined
  if (await temporalAnswers(address, namespace)) return left
  await stopTemporal(left, false)
  return undefined
}
