import type { TestWorkflowEnvironment } from '@temporalio/testing'
import type { BrokerClock } from '../../src/limiter/broker-clock.ts'

const POLL_MS = 20

export interface SkippingClock extends BrokerClock {
  /** Resolves when the server is asked no more: a call that is tried again after its channel closed throws out of a timer. */
  stop(): Promise<void>
}

/** The clock of a server that skips time, for what runs outside of workflows; timers ring when the server gets there. */
export async function startSkippingClock(env: TestWorkflowEnvironment): Promise<SkippingClock> {
  const startMs = await env.currentTimeMs()
  let nowMs = startMs
  const timers = new Set<{ readonly dueMs: number; readonly ring: () => void }>()
  let stopped = false
  const poll = async () => {
    while (!stopped) {
      // The last call may find the server gone; then nobody needs the time any more.
      nowMs = await env.currentTimeMs().catch(() => nowMs)
      for (const timer of timers) {
        if (timer.dueMs <= nowMs && timers.delete(timer)) timer.ring()
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }
  const polling = poll()
  return {
    nowMs: () => nowMs,
    after(delayMs, ring) {
      const timer = { dueMs: nowMs + delayMs, ring }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async stop() {
      stopped = true
      await polling
    },
  }
}
