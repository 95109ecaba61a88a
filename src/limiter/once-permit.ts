import type { CallOutcome, Permit } from '../core/limiter/permit.ts'

/** A permit that ends once, whatever its holder calls how often; null means that it was handed back unsent. */
export function oncePermit(domain: string, ended: (outcome: CallOutcome | null) => void): Permit {
  let isOpen = true
  const end = (outcome: CallOutcome | null): void => {
    if (!isOpen) return
    isOpen = false
    ended(outcome)
  }
  return { domain, report: end, giveBack: () => end(null) }
}
