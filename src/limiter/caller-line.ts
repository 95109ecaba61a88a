/** The callers of one process that wait for a permit of one domain. */
import type { Permit } from '../core/limiter/permit.ts'
import type { Claimant } from '../core/limiter/waiting-line.ts'

export interface WaitingClaimant extends Claimant {
  readonly isRetry: boolean
}

interface Caller {
  readonly claimant: WaitingClaimant
  readonly sinceMs: number
  readonly untilMs: number
  /** Also stops listening to the caller's signal. */
  readonly leave: (end: { readonly permit: Permit } | { readonly error: unknown }) => void
}

export class CallerLine {
  #callers: readonly Caller[] = []

  get length(): number {
    return this.#callers.length
  }

  /** First come first. */
  get claimants(): readonly Claimant[] {
    return this.#callers.map(({ claimant }) => claimant)
  }

  /** When the first caller has waited long enough. */
  get nextUntilMs(): number | undefined {
    return this.#callers.reduce<number | undefined>(
      (soonest, { untilMs }) => Math.min(untilMs, soonest ?? Infinity),
      undefined,
    )
  }

  /** Rejects with the signal's reason when that aborts first. */
  join(
    claimant: WaitingClaimant,
    sinceMs: number,
    patienceMs: number,
    signal: AbortSignal,
  ): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const aborted = (): void => caller.leave({ error: signal.reason })
      const caller: Caller = {
        claimant,
        sinceMs,
        untilMs: sinceMs + patienceMs,
        leave: (end) => {
          signal.removeEventListener('abort', aborted)
          this.#callers = this.#callers.filter((other) => other !== caller)
          if ('permit' in end) resolve(end.permit)
          else reject(end.error)
        },
      }
      signal.addEventListener('abort', aborted)
      this.#callers = [...this.#callers, caller]
    })
  }

  at(index: number): Pick<Caller, 'claimant' | 'sinceMs'> | undefined {
    return this.#callers[index]
  }

  serve(index: number, permit: Permit): void {
    this.#callers[index]?.leave({ permit })
  }

  turnAway(index: number, error: Error): void {
    this.#callers[index]?.leave({ error })
  }

  /** Turns away everybody who cannot wait until that moment. */
  turnAwayBefore(momentMs: number, errorOf: () => Error): void {
    for (const caller of this.#callers) {
      if (caller.untilMs < momentMs) caller.leave({ error: errorOf() })
    }
  }
}
