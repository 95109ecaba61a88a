/**
 * The rules of RFC 9111, from http-cache-semantics, with what it leaves to us or does otherwise:
 * - a clock that is given;
 * - an answer that was long on its way, or in another cache, is as old as its date says (4.2.3);
 * - freshness that nobody stated ends after 7 days at the latest.
 */
import CachePolicy from 'http-cache-semantics'
import type { PlainHeaders } from './cache-headers.ts'

/** As it is stored. */
export type StoredPolicy = CachePolicy.CachePolicyObject

const DAY_S = 86_400
const LONGEST_GUESS_S = 7 * DAY_S

export interface PolicyRequest {
  readonly headers: PlainHeaders
}

export interface PolicyAnswer {
  readonly status: number
  readonly headers: PlainHeaders
}

/** @param nowMs when the answer came */
export function makePolicy(
  request: PolicyRequest,
  answer: PolicyAnswer,
  nowMs: number,
): CachePolicy {
  const options = { shared: false, cacheHeuristic: 0.1, immutableMinTimeToLive: 0 }
  return new (policyAt(nowMs))(
    { method: 'GET', headers: { ...request.headers } },
    { status: answer.status, headers: { ...answer.headers } },
    options,
  )
}

export function restorePolicy(stored: StoredPolicy, nowMs: number): CachePolicy {
  return policyAt(nowMs).fromObject(stored)
}

function policyAt(nowMs: number): typeof CachePolicy {
  return class extends CachePolicy {
    now(): number {
      return nowMs
    }

    override age(): number {
      const { t: cameMs, resh } = this.toObject()
      const stated = Number.parseInt(String(resh['age'] ?? ''), 10)
      const apparentS = Math.max(0, (cameMs - this.date()) / 1000)
      return Math.max(apparentS, Number.isFinite(stated) ? stated : 0) + (nowMs - cameMs) / 1000
    }

    override maxAge(): number {
      const { rescc, resh } = this.toObject()
      const isStated = rescc['max-age'] !== undefined || resh['expires'] !== undefined
      return isStated ? super.maxAge() : Math.min(super.maxAge(), LONGEST_GUESS_S)
    }
  }
}
