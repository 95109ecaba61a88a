import type { Permits } from '../core/limiter/permit.ts'

/**
 * Permits of a process that must have room for what is answered.
 * @param assertRoom @throws where there is none, so that nobody asks
 */
export function roomyPermits(permits: Permits, assertRoom: () => Promise<void>): Permits {
  return {
    async acquire(request) {
      await assertRoom()
      return permits.acquire(request)
    },
  }
}
