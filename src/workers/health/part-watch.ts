/** One thing that a worker cannot work without, looked at again and again. */
import { errorCode } from './error-code.ts'

export interface PartState {
  readonly ok: boolean
  /** Since when it is so, ISO 8601. */
  readonly since: string
  /** Why it is not; stable, and nothing of an address or a password in it. */
  readonly code?: string
}

export interface PartWatch {
  readonly state: () => PartState
  /** Looks once. Never throws. */
  readonly look: () => Promise<void>
}

/**
 * @param check returns when the part is well; throws why it is not
 * @param limitMs a check that takes longer says that the part is away
 */
export function watchPart(check: () => Promise<void> | void, limitMs: number): PartWatch {
  let state: PartState = { ok: false, since: new Date().toISOString(), code: 'starting' }
  let looking: Promise<void> | undefined
  const note = (code: string | undefined): void => {
    if (state.code === code && state.ok === (code === undefined)) return
    const since = new Date().toISOString()
    // Away is away, whatever it is called in the course of it.
    const sinceThen =
      state.ok || code === undefined || state.code === 'starting' ? since : state.since
    state = code === undefined ? { ok: true, since } : { ok: false, since: sinceThen, code }
  }
  const finish = async (): Promise<void> => {
    try {
      await check()
      note(undefined)
    } catch (error) {
      note(errorCode(error))
    }
  }
  return {
    state: () => state,
    async look() {
      // One that hangs is asked no second time meanwhile.
      looking ??= finish().finally(() => {
        looking = undefined
      })
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<'late'>((resolve) => {
        timer = setTimeout(resolve, limitMs, 'late')
      })
      if ((await Promise.race([looking, late])) === 'late') note('no_answer')
      clearTimeout(timer)
    },
  }
}
