import { domainKey } from '../../core/domain-key.ts'
import { isLoopback } from '../../http/loopback.ts'
import { DEFAULT_SOURCE_SIZE } from '../../source/source-size.ts'
import { startSourceService } from '../../source/source-service.ts'
import type { ServeSourceFlags } from '../commands/serve-source.ts'
import { interrupted } from '../interrupted.ts'
import { say } from '../output.ts'

/** The command `serve-source`. */
export async function serveSource(flags: ServeSourceFlags): Promise<void> {
  const { users, groups, folders, looks, dashboards, models } = flags
  const given = { users, groups, folders, looks, dashboards, models }
  const service = await startSourceService({
    host: flags.host,
    port: flags.port,
    seed: flags.seed,
    credentials: flags.credentials,
    size: { ...DEFAULT_SOURCE_SIZE, ...defined(given) },
    day: flags.day,
    requestsPerDay: flags.drift ?? null,
    requestsPerMinute: flags.ratePerMinute ?? null,
    mostRows: flags.mostRows ?? null,
    faultPercent: flags.faults,
    forbiddenDetails: flags.forbidden,
    tokenLifeS: flags.tokenLife,
    delayMs: flags.delay,
  })
  const { url } = service
  if (!isLoopback(new URL(url))) {
    say(`Warning: listening on ${flags.host}: anyone who reaches this machine can ask it.`)
  }
  // Whoever reads the address may interrupt at once.
  const end = interrupted()
  process.stdout.write(`${url}\n`)
  const secret = JSON.stringify({ [domainKey(url)]: flags.credentials })
  say(`Serving the source of seed ${flags.seed}, day ${flags.day}, at ${url}. Ctrl-C ends it.`)
  say(`  its secret, for the servers to start with:  export RECORD_LINKER_CREDENTIALS='${secret}'`)
  say(`  read it:  ./record-linker extract start --profile looker --base-url ${url} --dataset bi`)
  await end
  await service.close()
}

function defined<Value>(
  given: Readonly<Record<string, Value | undefined>>,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
