/** Lease ids: `<prefix>-<number>`, where the prefix tells limiters of a domain apart that know nothing of each other. */

/** @param nowMs Wall clock when the state was created. */
export function leaseIdPrefix(nowMs: number): string {
  return Math.max(0, Math.trunc(nowMs)).toString(36)
}

export function leaseId(prefix: string, number: number): string {
  return `${prefix}-${number.toString(36)}`
}

/** What its limiter calls itself: the same for as long as it remembers. */
export function limiterOf(id: string): string {
  return id.slice(0, Math.max(0, id.lastIndexOf('-')))
}

/** The lease's number; undefined for an id of another limiter. */
export function leaseNumber(prefix: string, id: string): number | undefined {
  const number = Number.parseInt(id.slice(prefix.length + 1), 36)
  return leaseId(prefix, number) === id ? number : undefined
}
