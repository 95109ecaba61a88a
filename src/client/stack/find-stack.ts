import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { connectKeeper, findKeeper, type KeeperConnection } from './control-client.ts'
import { makeHomeFolder } from './home.ts'
import type { StackAddresses } from './stack.ts'

/** A keeper tells at once what it has to tell. */
const ANSWER_LIMIT_MS = 2000

/** Looks for a running embedded stack without starting or holding one. */
export async function findStack(config: Config): Promise<StackAddresses | 'starting' | undefined> {
  const keeper = findKeeper(makeHomeFolder(config.home))
  const line = keeper && (await connectKeeper(keeper, '/follow'))
  if (!line) return undefined
  try {
    const tooLate = sleep(ANSWER_LIMIT_MS, 'starting' as const, { ref: false })
    return await Promise.race([readyAddresses(line), tooLate])
  } finally {
    line.close()
  }
}

async function readyAddresses(line: KeeperConnection): Promise<StackAddresses | undefined> {
  for await (const event of line.events) {
    if (event.event === 'ready') return event.addresses
  }
  return undefined
}
