/** What a report says in one number. */
import type { LeaseReport } from './protocol.ts'

/** Requests the server took on and answered, well or badly. */
export function acceptedOf({ ok, neutral }: LeaseReport): number {
  return ok + neutral
}

/** Requests that show a server in trouble, or none at all. */
export function failedOf({ overloaded, failed }: LeaseReport): number {
  return overloaded + failed
}
