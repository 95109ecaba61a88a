import { request, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import { homePaths } from './home.ts'
import {
  keeperEventSchema,
  keeperFileSchema,
  type KeeperEvent,
  type KeeperFile,
} from './keeper-event.ts'
import { isRunning } from './process-identity.mjs'
import { readJsonFile } from './private-file.ts'

/** An open line to a keeper. */
export interface KeeperConnection {
  /** Ends when the keeper does, or at `close`. */
  readonly events: AsyncIterable<KeeperEvent>
  /** Lets the process end although the line is open. */
  readonly unref: () => void
  readonly close: () => void
}

/** The keeper of that home, if one lives. */
export function findKeeper(home: string): KeeperFile | undefined {
  const keeper = readJsonFile(homePaths(home).keeper, keeperFileSchema)
  return keeper !== undefined && keeper.home === home && isRunning(keeper) ? keeper : undefined
}

/**
 * @param path `/follow` holds the stack for as long as the line is open; `/down` asks it to end.
 * @returns undefined when nobody answers.
 */
export function connectKeeper(
  keeper: KeeperFile,
  path: '/follow' | '/down',
): Promise<KeeperConnection | undefined> {
  return new Promise((resolve) => {
    const call = request({
      host: '127.0.0.1',
      port: keeper.port,
      path,
      method: path === '/down' ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${keeper.token}` },
      agent: false,
    })
    call.once('error', () => resolve(undefined))
    call.once('response', (response) => {
      if (response.statusCode !== 200) {
        response.destroy()
        return resolve(undefined)
      }
      response.on('error', () => undefined) // seen by the reader of the events, if there is one
      resolve({
        events: readEvents(response),
        unref: () => response.socket.unref(),
        close: () => response.destroy(),
      })
    })
    call.end()
  })
}

async function* readEvents(response: IncomingMessage): AsyncGenerator<KeeperEvent> {
  const lines = createInterface({ input: response })[Symbol.asyncIterator]()
  for (;;) {
    // A broken line means a killed keeper: the events end, as with one that ended by itself.
    const next = await lines.next().catch(() => ({ done: true, value: '' }))
    if (next.done === true) return
    yield keeperEventSchema.parse(JSON.parse(next.value))
  }
}
