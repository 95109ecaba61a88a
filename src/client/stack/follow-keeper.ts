import { maskPassword, type Config } from '../../config.ts'
import { UnavailableError, UsageError } from '../../errors.ts'
import { productVersion } from '../../product-version.ts'
import { connectKeeper, type KeeperConnection } from './control-client.ts'
import type { KeeperFile, KeeperIntroduction } from './keeper-event.ts'
import type { StackAddresses } from './stack.ts'

export type KeeperOutcome =
  | {
      readonly state: 'ready'
      readonly addresses: StackAddresses
      /** It was not ready yet when we came. */
      readonly wasStarting: boolean
      /** Ends our hold, which does not keep this process alive. */
      readonly release: () => void
    }
  | { readonly state: 'ended' }

/**
 * Follows a keeper until its stack is ready, which we then hold, or until it has ended. A keeper of another
 * version of this program is asked to end: its worker would do the work with other code.
 * @returns undefined when it does not answer.
 * @throws UnavailableError with the reason why its stack did not start.
 * @throws UsageError `stack_differs` when it works with other servers than the settings say.
 */
export async function followKeeper(
  keeper: KeeperFile,
  config: Config,
  report: (line: string) => void,
): Promise<KeeperOutcome | undefined> {
  const line = await connectKeeper(keeper, '/follow')
  if (line === undefined) return undefined
  try {
    return await readUntilReady(line, keeper, config, report)
  } catch (error) {
    line.close()
    throw error
  }
}

async function readUntilReady(
  line: KeeperConnection,
  keeper: KeeperFile,
  config: Config,
  report: (line: string) => void,
): Promise<KeeperOutcome> {
  const events = line.events[Symbol.asyncIterator]()
  let wasStarting = false
  let ending = false
  for (;;) {
    const next = await events.next()
    if (next.done === true) return { state: 'ended' }
    const event = next.value
    switch (event.event) {
      case 'keeper':
        checkSameServers(event, config)
        if (event.version === productVersion) break
        ending = true
        report(
          `The servers were started by version ${event.version}; they start again with ${productVersion}.`,
        )
        await connectKeeper(keeper, '/down')
        break
      case 'progress':
        wasStarting = true
        report(event.text)
        break
      case 'failed':
        throw new UnavailableError(event)
      case 'stopping':
        if (!ending) report('The embedded servers are stopping; waiting for it …')
        ending = true
        break
      case 'ready':
        if (ending) break
        line.unref()
        return { state: 'ready', addresses: event.addresses, wasStarting, release: line.close }
    }
  }
}

function checkSameServers(keeper: KeeperIntroduction, config: Config): void {
  if (config.contact !== undefined && config.contact !== keeper.contact) {
    throw new UsageError({
      code: 'contact_differs',
      message: `The servers of ${keeper.home} were started ${keeper.contact === undefined ? 'without a contact' : `with the contact ${keeper.contact}`}; RECORD_LINKER_CONTACT says ${config.contact}.`,
      hint: 'Start them anew: ./record-linker down, then this command again. Open runs go on where they were.',
    })
  }
  checkSameWikidata(keeper, config)
  const { temporal, database } = keeper.external
  if (temporal === config.temporalAddress && database === config.databaseUrl) return
  throw new UsageError({
    code: 'stack_differs',
    message: `The stack of ${keeper.home} runs with ${serverText(temporal, database)}; the environment asks for ${serverText(config.temporalAddress, config.databaseUrl)}.`,
    hint: 'Stop it with "./record-linker down", use another RECORD_LINKER_HOME, or set the same variables.',
  })
}

/** Only what this environment says must hold: its worker would ask somebody else, or without the token. */
function checkSameWikidata({ home, wikidata }: KeeperIntroduction, config: Config): void {
  if (wikidata === undefined) return
  const isElsewhere =
    config.sources.RECORD_LINKER_WIKIDATA_URL === 'environment' &&
    config.wikidataUrl !== wikidata.url
  if (!isElsewhere && (config.wikidataToken === undefined || wikidata.hasToken)) return
  throw new UsageError({
    code: 'wikidata_differs',
    message: isElsewhere
      ? `The servers of ${home} were started with Wikidata at ${wikidata.url}; RECORD_LINKER_WIKIDATA_URL says ${config.wikidataUrl}.`
      : `The servers of ${home} were started without RECORD_LINKER_WIKIDATA_TOKEN, which is set now.`,
    hint: 'Start them anew: ./record-linker down, then this command again. Open runs go on where they were.',
  })
}

function serverText(temporal: string | undefined, database: string | undefined): string {
  return `Temporal ${temporal ?? 'embedded'}, PostgreSQL ${database ? maskPassword(database) : 'embedded'}`
}
