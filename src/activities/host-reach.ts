/**
 * Whether it is the host that is away, or this machine. While others answer, a host that cannot be reached has failed;
 * while nobody does, the network is waited for.
 */
export interface HostReach {
  readonly answered: (host: string) => void
  /** @returns whether an attempt has failed, or is only to wait */
  away(host: string, giveUpAfterMs: number): 'failed' | 'wait'
}

/** So long an answer of another host shows that the network is there, ms. */
const PROOF_MS = 60_000

/** @param nowMs of a clock that does not jump */
export function createHostReach(nowMs: () => number): HostReach {
  const lastAnswers = new Map<string, number>()
  const awaySince = new Map<string, number>()
  return {
    answered(host) {
      awaySince.delete(host)
      lastAnswers.set(host, nowMs())
    },
    away(host, giveUpAfterMs) {
      const now = nowMs()
      for (const [other, atMs] of lastAnswers) {
        if (now - atMs > PROOF_MS) lastAnswers.delete(other)
        else if (other !== host) return 'failed'
      }
      const since = awaySince.get(host) ?? now
      awaySince.set(host, since)
      return now - since > giveUpAfterMs ? 'failed' : 'wait'
    },
  }
}
