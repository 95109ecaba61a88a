/**
 * The keeper: the one process per home that owns the embedded stack.
 *
 *   starting ──all parts answer──▶ ready ──down | signal | idle | home gone──▶ stopping ──▶ gone
 *       └──a part fails: clients are told──────────────────────────────────────▶ stopping
 *
 * Invariants: at most one keeper per home lives (keeper.lock). PostgreSQL and Temporal survive a killed
 * keeper and are adopted by the next one; worker and sample service end by themselves when it dies. Parts
 * stop in the order in which they need each other: worker, sample service, Temporal, PostgreSQL.
 */
import { rmSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { RecordLinkerError } from '../../errors.ts'
import { productVersion } from '../../product-version.ts'
import { startControlServer, type ControlServer } from './control-server.ts'
import { homePaths, makeHomeFolder, openHome, type Home } from './home.ts'
import { watchHome, type HomeWatch } from './home-watch.ts'
import { hasOpenRun, watchIdleness } from './idle-watch.ts'
import type { KeeperEvent, KeeperFile } from './keeper-event.ts'
import { preparePostgresPlace, type PostgresPlace } from './postgres-place.ts'
import { writePrivateFile } from './private-file.ts'
import { markProcess } from './process-identity.mjs'
import { takeProcessLock, type LockOwner } from './process-lock.mjs'
import { removeSharedData } from './shared-place.ts'
import { stackParts, type StackParts, type StackPrograms } from './stack-parts.ts'
import type { StackAddresses } from './stack.ts'
import { stopRequest, type StopReason, type StopRequest } from './stop-request.ts'
import { onStopSignals } from './stop-signals.ts'

export interface KeeperOptions {
  readonly config: Config
  /** Path of the Temporal CLI; not needed when Temporal is external. */
  readonly temporalCli: string
  readonly programs: StackPrograms
  /** Somebody sits at this process's terminal: it does not end for idleness. */
  readonly foreground: boolean
  readonly report: (line: string) => void
  readonly onReady: (addresses: StackAddresses) => void
}

export type KeeperEnd =
  | { readonly why: 'another keeper lives'; readonly owner: LockOwner }
  | { readonly why: StopReason; readonly error?: unknown }

/** Starts the stack and keeps it until something ends it; resolves when everything is down. */
export async function runKeeper(options: KeeperOptions): Promise<KeeperEnd> {
  const path = makeHomeFolder(options.config.home)
  const taken = takeProcessLock(homePaths(path).lock)
  if ('owner' in taken) return { why: 'another keeper lives', owner: taken.owner }
  try {
    return await keep(path, options)
  } finally {
    taken.held.release()
  }
}

async function keep(path: string, options: KeeperOptions): Promise<KeeperEnd> {
  const { config } = options
  const stop = stopRequest()
  const control = await startControlServer(introduction(path, config), () => stop.request('down'))
  const forgetSignals = onStopSignals(() => stop.request('signal'))
  const report = (line: string) => {
    options.report(line)
    control.announce({ event: 'progress', text: line })
  }
  writeKeeperFile(path, control)
  let own: OwnHome | undefined
  let homeWatch: HomeWatch | undefined
  let parts: StackParts | undefined
  try {
    own = await openOwnHome(path, config, report)
    homeWatch = watchHome(own.home, () => stop.request('home gone'))
    parts = stackParts({ ...options, ...own, report, stopping: stop.stopping })
    return { why: await serve(parts, options, control, stop) }
  } catch (error) {
    if (stop.stopping.aborted) return { why: await stop.requested }
    stop.request('failed')
    control.announce({ event: 'failed', ...describe(error) })
    return { why: 'failed', error }
  } finally {
    control.announce({ event: 'stopping' })
    await parts?.stop(stop.urgent)
    if (homeWatch?.stop() === 'deleted' && own) removeSharedData(own.home)
    rmSync(homePaths(path).keeper, { force: true })
    await control.close()
    forgetSignals()
  }
}

/** Starts the parts and waits for a reason to end. */
async function serve(
  parts: StackParts,
  options: KeeperOptions,
  control: ControlServer,
  stop: StopRequest,
): Promise<StopReason> {
  const addresses = await parts.start()
  control.announce({ event: 'ready', addresses })
  options.onReady(addresses)
  const isBusy = async () =>
    options.foreground || control.clients() > 0 || (await hasOpenRun(addresses.databaseUrl))
  const idleMs = options.config.idleMinutes * 60_000
  const idleWatch = watchIdleness(idleMs, isBusy, () => stop.request('idle'))
  const why = await stop.requested
  idleWatch.stop()
  return why
}

interface OwnHome {
  readonly home: Home
  /** undefined: PostgreSQL is external. */
  readonly place: PostgresPlace | undefined
}

async function openOwnHome(
  path: string,
  config: Config,
  report: (line: string) => void,
): Promise<OwnHome> {
  const home = openHome(path)
  if (config.databaseUrl) return { home, place: undefined }
  return preparePostgresPlace(home, report)
}

function introduction(path: string, config: Config): KeeperEvent {
  return {
    event: 'keeper',
    home: path,
    pid: process.pid,
    version: productVersion,
    external: { temporal: config.temporalAddress, database: config.databaseUrl },
    contact: config.contact,
    wikidata: { url: config.wikidataUrl, hasToken: config.wikidataToken !== undefined },
  }
}

function writeKeeperFile(path: string, control: ControlServer): void {
  const file: KeeperFile = {
    home: path,
    ...markProcess(process.pid),
    port: control.port,
    token: control.token,
  }
  writePrivateFile(homePaths(path).keeper, JSON.stringify(file))
}

function describe(error: unknown): { code: string; message: string; hint?: string | undefined } {
  if (!(error instanceof RecordLinkerError)) return { code: 'internal', message: String(error) }
  return { code: error.code, message: error.message, hint: error.hint }
}
