/** The callers of one process that wait for a permit of one domain. */
import type { Permit } from '../core/limiter/permit.ts'

interface Caller {
  readonly project: string
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
  get projects(): readonly string[] {
    return this.#callers.map(({ project }) => project)
  }

  /** When the first caller has waited long enough. */
  get nextUntilMs(): number | undefined {
    return this.#callers.reduce<number | undefined>(
      (soonest, { untilMs }) => Math.min(untilMs, soonest ?? Infinity),
      undefined,
    )
  }

  /** Rejects with the signal's reason when that aborts first. */
  join(project: string, untilMs: number, signal: AbortSignal): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const aborted = (): void => caller.leave({ error: signal.reason })
      const caller: Caller = {
        project,
        untilMs,
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
