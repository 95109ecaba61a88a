/** `14:03:20` for a moment of today, `29 Nov, 14:03:20` for another day; by the clock on the wall here. */
export function momentText(atMs: number, nowMs: number): string {
  const at = new Date(atMs)
  const time = at.toLocaleTimeString('en-GB')
  if (at.toDateString() === new Date(nowMs).toDateString()) return time
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`
}
