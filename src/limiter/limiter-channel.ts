/** How a broker reaches the limiters; a rejected promise means that no answer came, nothing more. */
import type {
  AcquireReply,
  AcquireRequest,
  RefusedNotice,
  ReleaseReply,
  ReleaseRequest,
} from '../core/limiter/protocol.ts'

export interface LimiterChannel {
  /** Starts the limiter when there is none. */
  acquire(domain: string, request: AcquireRequest): Promise<AcquireReply>
  /** Resolves with nothing when there is no limiter (any more): then nothing is held either. */
  release(domain: string, request: ReleaseRequest): Promise<ReleaseReply | undefined>
  refused(domain: string, notice: RefusedNotice): Promise<void>
}
