/** How many jobs a lane claims at a time: so many as take it a moment, since nobody else can begin what it has. */
export interface LanePace {
  /** At least 1. */
  readonly ahead: () => number
  readonly ended: (tookMs: number) => void
}

/** What is claimed takes so long, ms: to claim costs about as much as a few small files. */
const AHEAD_MS = 1_500
const MOST_AHEAD = 32

export function createLanePace(): LanePace {
  let averageMs = Infinity
  let ahead = 1
  return {
    ahead() {
      ahead = Math.max(1, Math.min(Math.floor(AHEAD_MS / averageMs), ahead * 2, MOST_AHEAD))
      return ahead
    },
    ended(tookMs) {
      const ms = Math.max(tookMs, 1)
      // A slow one counts at once, quick ones little by little.
      averageMs = averageMs === Infinity || ms > averageMs ? ms : averageMs * 0.7 + ms * 0.3
    },
  }
}
