/**
 * How the permits of a lease are divided between projects: by all that are wanted in the domain, also by
 * those whose callers are just now with other processes. They move about: one that arrives in the middle
 * of a lease finds its share, and what nobody comes for serves the others.
 */
import { currentRate } from './current-rate.ts'
import { slotsIn, type Lease, type LimiterState, type Share, type Want } from './limiter-state.ts'
import type { LeaseReport } from './protocol.ts'
import { dealWhole } from './share-rate.ts'
import { claimKey } from './waiting-line.ts'

/** A grant may name as many. */
const MOST_SHARES = 16
/** Permits; a slow domain gives a project its turn late. */
const LEAST_OWED = 5

interface Dealt {
  /** Remembers what rounding owes. */
  readonly state: LimiterState
  /** With its shares. */
  readonly lease: Lease
}

/** @param name Of the process the lease is for; its own projects come first. */
export function dealTo(state: LimiterState, name: string, lease: Lease): Dealt {
  const wanted = wantedInAll(state, name)
  const dealt = wanted.slice(0, MOST_SHARES)
  if (dealt.length < 2) return { state: { ...state, owed: {} }, lease }
  const slots = slotsIn(lease.endMs - lease.startMs, state.policy)
  const claims = dealt.map(([, permits, weight = 1, priority = 'normal']) => ({
    want: Math.ceil(permits * slots),
    weight,
    priority,
  }))
  const keys = dealt.map(keyOf)
  const deal = dealWhole(
    lease.permits,
    claims,
    keys.map((key) => state.owed[key] ?? 0),
  )
  const owed = Object.fromEntries(
    keys.flatMap((key, index) => {
      const left = bounded(state, deal.owed[index] ?? 0)
      return left === 0 ? [] : [[key, left] as const]
    }),
  )
  const shares = dealt.flatMap(([project, , , priority = 'normal'], index): Share[] => {
    const permits = deal.shares[index] ?? 0
    if (permits === 0) return []
    return [priority === 'normal' ? [project, permits] : [project, permits, priority]]
  })
  return { state: { ...state, owed }, lease: { ...lease, shares } }
}

/** What a report says projects got less than their shares: they get it with the next leases. */
export function addOwed(state: LimiterState, { owed = [] }: LeaseReport): LimiterState['owed'] {
  const perPermit = state.policy.costPerSecond === null ? 1 : Math.max(0.001, state.averageCost)
  const sums = owed.map(([key, cost]): [string, number] => [
    key,
    bounded(state, (state.owed[key] ?? 0) + cost / perPermit),
  ])
  // Nobody can make it grow by names: only what was dealt to is owed.
  const known = sums.filter(([key]) => key in state.owed || isWanted(state, key))
  return { ...state.owed, ...Object.fromEntries(known) }
}

function isWanted({ workers }: LimiterState, key: string): boolean {
  return Object.values(workers).some(({ wants }) => wants.some((want) => keyOf(want) === key))
}

/** A project whose callers stayed away gets nothing for the time before the last second. */
function bounded(state: LimiterState, owed: number): number {
  const most = Math.max(LEAST_OWED, currentRate(state))
  return Math.round(Math.max(-most, Math.min(most, owed)) * 1000) / 1000
}

/** What each project wants of all processes together, those of one process first. */
function wantedInAll(state: LimiterState, first: string): readonly Want[] {
  const own = state.workers[first]?.wants ?? []
  const others = Object.entries(state.workers).flatMap(([name, { wants }]) =>
    name === first ? [] : wants,
  )
  const sums = new Map<string, Want>()
  for (const want of [...own, ...others]) {
    const [project, permits, weight = 1, priority = 'normal'] = want
    const before = sums.get(keyOf(want))
    sums.set(keyOf(want), [project, permits + (before?.[1] ?? 0), before?.[2] ?? weight, priority])
  }
  return [...sums.values()].filter(([, permits]) => permits > 0)
}

function keyOf([project, , , priority = 'normal']: Want): string {
  return claimKey({ project, priority })
}
