/**
 * Fetches what the decisions of a task look at beside the answers of its searches: the items of their candidates, and of
 * the classes and values these name. What is stored is shared by all tasks and runs, and only what is missing is asked.
 */
import { cancellationSignal } from '@temporalio/activity'
import {
  chunks,
  type ItemToFetch,
  type PlannedFetch,
  planFetches,
} from '../core/wikidata/fetch-plan.ts'
import { holds, type ItemFacts, type WantedFacts } from '../core/wikidata/item-facts.ts'
import { itemNeeds } from '../core/wikidata/item-needs.ts'
import { fillShelf, type ProvideItems } from '../core/wikidata/item-shelf.ts'
import {
  claimItems,
  type ItemFailure,
  knownItems,
  storeItemFailures,
  storeItems,
} from '../db/item-facts.repo.ts'
import { namedCandidates } from '../db/lookups.repo.ts'
import type { TaskKey } from '../db/task-subjects.repo.ts'
import { OutsideCallError } from '../errors.ts'
import type { KnownService } from './known-service.ts'
import { onceStored } from './once-stored.ts'
import { backOffMs, domainUnavailable, isGivenUp, type OutsideCallDeps } from './outside-call.ts'
import { type AttemptKeeper, keepAttempts } from './record-exchange.ts'
import { guardRun } from './run-guard.ts'
import type { RunSettings } from './run-settings.ts'

/** A service that is down is not asked on and on within one call. */
const FAILURES_IN_A_ROW_TO_STOP = 3

/** Records whose answers are at hand come by hundreds in a task, and many tasks at once: their items need not be. */
const CANDIDATES_AT_ONCE = 500

/** What is still to come. */
export interface MissingItems {
  /** The earliest of those to be fetched again, ms from now; null: there are none. */
  readonly waitMs: number | null
  /** Being fetched by another task. */
  readonly askedElsewhere: number
}

/** A task at work. */
interface ItemTask extends OutsideCallDeps {
  readonly service: KnownService
  readonly fetchItems: NonNullable<KnownService['fetchItems']>
  readonly loaded: RunSettings
  readonly key: TaskKey
  /** Of items to be fetched again, ms. */
  readonly waits: number[]
  failuresInARow: number
  /** Why the domain is asked no more, where it was given up. */
  givenUp: OutsideCallError | null
}

/**
 * @param position answers up to this one are looked at
 * @throws OutsideCallError when the service cannot be asked now, or turns us away
 */
export async function fetchTaskItems(
  deps: OutsideCallDeps,
  service: KnownService,
  loaded: RunSettings,
  key: TaskKey,
  position: number,
): Promise<MissingItems> {
  const { fetchItems } = service
  if (fetchItems === null) return { waitMs: null, askedElsewhere: 0 }
  const { db } = deps
  const { settings } = loaded
  const progress = { waits: [], failuresInARow: 0, givenUp: null }
  const task: ItemTask = { ...deps, service, fetchItems, loaded, key, ...progress }
  const known = knownItems(db, settings.service)
  let askedElsewhere = 0
  const candidates = await namedCandidates(db, key, position)
  const stale = new Set(candidates.flatMap(({ id, isStale }) => (isStale ? [id] : [])))
  const candidateIds = candidates.map(({ id }) => id)
  const provide: ProvideItems = async (ids, wanted) => {
    const before = await known(ids, wanted)
    const repeated = new Set(ids.filter((id) => stale.delete(id)))
    const lacking = ids.filter((id) => repeated.has(id) || !before.has(id))
    if (lacking.length === 0) return before
    const claimed = await claimItems(db, settings.service, key, lacking)
    askedElsewhere += lacking.length - claimed.length
    // Another task may have fetched some between the look at them and the claim.
    const toFetch = claimed.filter(
      ({ id, facts }) => repeated.has(id) || facts === null || !holds(facts, wanted),
    )
    task.waits.push(...toFetch.flatMap(({ waitMs }) => (waitMs > 0 ? [waitMs] : [])))
    await fetchDue(
      task,
      toFetch.filter(({ waitMs }) => waitMs === 0),
      wanted,
    )
    return known(ids, wanted)
  }
  for (const some of chunks(candidateIds, CANDIDATES_AT_ONCE)) {
    await fillShelf(some, itemNeeds(settings), provide)
  }
  return { waitMs: task.waits.length === 0 ? null : Math.min(...task.waits), askedElsewhere }
}

/** Stores each call's items at once, so that a retry asks only for what is missing. */
async function fetchDue(
  task: ItemTask,
  due: readonly ItemToFetch[],
  wanted: WantedFacts,
): Promise<void> {
  const { db, service, loaded } = task
  const name = loaded.settings.service
  const attempts = new Map(due.map((item) => [item.id, item.attempts]))
  const open = new Set(attempts.keys())
  for (const fetch of planFetches(due, wanted)) {
    if (task.givenUp !== null) break
    if (task.failuresInARow >= FAILURES_IN_A_ROW_TO_STOP) {
      // What is left is due at once, in the next attempt of this activity.
      task.waits.push(0)
      return
    }
    await guardRun(db, loaded.run.id)
    try {
      const kept = keepAttempts(db, task.key)
      const items = await fetchRecorded(task, fetch, kept)
      service.silence = null
      task.failuresInARow = 0
      for (const id of fetch.ids) open.delete(id)
      await onceStored(() => storeItems(db, name, items))
      kept.assertKept()
    } catch (error) {
      if (!(error instanceof OutsideCallError)) throw error
      if (isGivenUp(task, service, loaded.run, error)) {
        task.givenUp = error
        break
      }
      if (!mayBeOfAnItem(error)) throw error
      for (const id of fetch.ids) open.delete(id)
      const failures = failuresOf(task, fetch, attempts, error)
      await onceStored(() => storeItemFailures(db, name, failures))
      task.waits.push(...failures.flatMap(({ retryInMs: waitMs }) => waitMs ?? []))
      task.failuresInARow += 1
    }
  }
  if (task.givenUp === null) return
  const failed = domainUnavailable(task.givenUp)
  await storeItemFailures(
    db,
    name,
    [...open].map((id) => ({ id, ...failed })),
  )
}

function fetchRecorded(
  { fetchItems }: ItemTask,
  fetch: PlannedFetch,
  kept: AttemptKeeper,
): Promise<readonly ItemFacts[]> {
  return fetchItems(fetch, {
    signal: cancellationSignal(),
    onExchange: (exchange) => kept.keep(exchange, []),
  })
}

/**
 * They will be asked for in smaller groups, in the end alone: only then has one failed. One wait for all, so that they
 * are asked for together, and one of the retries that the domain is granted.
 */
function failuresOf(
  task: ItemTask,
  { ids }: PlannedFetch,
  attemptsBefore: ReadonlyMap<string, number>,
  { kind, code, message }: OutsideCallError,
): readonly ItemFailure[] {
  const attempts = 1 + Math.max(...ids.map((id) => attemptsBefore.get(id) ?? 0))
  const isExhausted = kind === 'permanent' || attempts >= task.loaded.run.options.maxAttempts
  const isFinal = ids.length === 1 && isExhausted
  const retryInMs = isFinal ? null : backOffMs(task, task.service, attempts)
  return ids.map((id) => ({ id, code, message, retryInMs }))
}

function mayBeOfAnItem({ kind }: OutsideCallError): boolean {
  return kind === 'transient' || kind === 'permanent'
}
