/** Words of an operator to a domain's limiter while it runs. What holds beyond that is in the database. */
import type { Client } from '@temporalio/client'
import type { DomainPolicy } from '../../core/limiter/policy.ts'
import { limiterId } from '../../core/workflow-ids.ts'
import {
  pauseDomainSignal,
  resetDomainSignal,
  resumeDomainSignal,
  setPolicySignal,
} from '../../workflows/messages.ts'
import { isNotFound } from '../match/is-not-found.ts'

export type LimiterWord =
  | { readonly kind: 'policy'; readonly policy: DomainPolicy }
  | { readonly kind: 'pause'; readonly reason: string }
  | { readonly kind: 'resume' }
  | { readonly kind: 'reset' }

/** @returns false when no limiter of the domain runs. */
export async function tellLimiter(
  client: Client,
  domain: string,
  word: LimiterWord,
): Promise<boolean> {
  try {
    await send(client, domain, word)
    return true
  } catch (error) {
    if (await isNotFound(error)) return false
    throw error
  }
}

/**
 * Tells a limiter what is also written to the database, so that it holds whether a limiter runs, starts or ends
 * just now: one that ends before hearing it is followed by one that reads it, and one that starts between the
 * two has read the old and is told.
 * @returns whether a limiter was told
 */
export async function tellAndKeep(
  client: Client,
  domain: string,
  word: LimiterWord,
  keep: () => Promise<void>,
): Promise<boolean> {
  const isTold = await tellLimiter(client, domain, word)
  await keep()
  return isTold || tellLimiter(client, domain, word)
}

async function send(client: Client, domain: string, word: LimiterWord): Promise<void> {
  const limiter = client.workflow.getHandle(limiterId(domain))
  switch (word.kind) {
    case 'policy':
      return limiter.signal(setPolicySignal, { policy: word.policy })
    case 'pause':
      return limiter.signal(pauseDomainSignal, { reason: word.reason })
    case 'resume':
      return limiter.signal(resumeDomainSignal)
    case 'reset':
    default:
      return limiter.signal(resetDomainSignal)
  }
}
