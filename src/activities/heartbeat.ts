import { heartbeat } from '@temporalio/activity'

const HEARTBEAT_INTERVAL_MS = 1000

/**
 * Says every second that the activity lives, so that a cancellation reaches it and a dead worker is noticed. Most are over
 * sooner and say nothing: each word costs the server as much as a statement of ours.
 */
export async function withHeartbeat<T>(body: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), HEARTBEAT_INTERVAL_MS)
  try {
    return await body()
  } finally {
    clearInterval(timer)
  }
}
