import type { CallOutcome, PermitRequest, Permits } from '../../../src/core/limiter/permit.ts'

/** What became of one permit. */
export interface RecordedPermit extends Omit<PermitRequest, 'signal'> {
  /** Reports and returns, in order; exactly one each when all is well. */
  readonly ended: (CallOutcome | 'given_back')[]
}

export interface RecordingPermits extends Permits {
  readonly granted: RecordedPermit[]
  /** The kinds reported so far, `given_back` and `open` (a leak) among them. */
  kinds(): readonly string[]
}

/** Grants every request at once, or after `before` has resolved, and remembers how each permit ended. */
export function recordingPermits(before: () => Promise<void> | void = () => {}): RecordingPermits {
  const granted: RecordedPermit[] = []
  return {
    granted,
    kinds: () =>
      granted.map(({ ended }) => {
        if (ended.length > 1) return 'ended twice'
        const [end = 'open'] = ended
        return typeof end === 'string' ? end : end.kind
      }),
    async acquire({ domain, project, priority, attempt }) {
      await before()
      const permit: RecordedPermit = { domain, project, priority, attempt, ended: [] }
      granted.push(permit)
      return {
        domain,
        report: (outcome) => permit.ended.push(outcome),
        giveBack: () => permit.ended.push('given_back'),
      }
    },
  }
}
