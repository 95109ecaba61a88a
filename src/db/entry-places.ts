/**
 * Where the records of a page stand in an order: to read and to judge what is known of each is dear, and only a page of them
 * is shown.
 */
import { sql } from 'kysely'
import { setsOf, withType } from './chosen-entries.ts'
import type { Db } from './connect.ts'
import { areJudgmentsFew, type JudgmentSet } from './current-judgment.ts'
import { type OrderPart, orderStages, type OrderStage } from './entry-order.ts'
import { type EntryKey, type EntryPageRequest, placeQuery } from './place-query.ts'

export async function placesOfPage(
  db: Db,
  request: EntryPageRequest,
): Promise<readonly EntryKey[]> {
  const { order, thresholds, after, limit, backwards = false } = request
  const chosen = await withType(db, request)
  if (chosen.ofType?.length === 0) return []
  const stages = orderStages(order, thresholds)
  const begun = stages.findIndex(({ only }) => only === null || only === after?.value)
  const from = stages.findIndex(({ only }) => only !== null && only === after?.value)
  const start = after === null ? (backwards ? stages.length - 1 : 0) : from === -1 ? begun : from
  const found: EntryKey[] = []
  const step = backwards ? -1 : 1
  for (let at = start; at >= 0 && at < stages.length && found.length < limit; at += step) {
    const stage = stages[at]
    if (stage === undefined) break
    const rest = { ...chosen, limit: limit - found.length, after: at === start ? after : null }
    found.push(...(await firstOfStage(db, rest, stage)))
  }
  return found
}

async function firstOfStage(
  db: Db,
  request: EntryPageRequest,
  { parts }: OrderStage,
): Promise<readonly EntryKey[]> {
  const areFew = await areJudgmentsFew(db)
  const sets = setsOf(request, areFew)
  const sources = parts.flatMap((part) => sets.map((set) => ({ part, set })))
  const rounds = [
    sources.filter(({ part, set }) => !isSought(part) && !set.isJudged),
    sources.filter(({ part, set }) => !isSought(part) && set.isJudged),
    sources.filter(({ part }) => isSought(part)),
  ].filter((round) => round.length > 0)
  let found: readonly EntryKey[] = []
  for (const round of rounds) {
    // Of these only those can be on the page that come before its last one.
    const last = found.length < request.limit ? null : (found.at(-1) ?? null)
    found = firstOfAll(request, found, await firstOfRound(db, request, round, last, areFew))
  }
  return found
}

/** Its records are not in order in any index. */
function isSought({ by }: OrderPart): boolean {
  return by?.kind === 'lead'
}

/** So near to the line are mostly more leads than a page has, and not many more. */
const NEAR_LEAD = 0.5

async function firstOfRound(
  db: Db,
  request: EntryPageRequest,
  round: readonly OrderSource[],
  last: EntryKey | null,
  areFew: boolean,
): Promise<readonly EntryKey[]> {
  const { after, backwards = false, limit } = request
  const near = (after?.value ?? 0) + (backwards ? -NEAR_LEAD : NEAR_LEAD)
  const isNear = last !== null && (backwards ? last.value >= near : last.value <= near)
  const isEnd = backwards && after === null
  if (round.some(({ part }) => isSought(part)) && !isNear && !isEnd) {
    const nearest = { value: near, position: 0, entryId: 0 }
    const found = await firstOfSources(db, request, round, nearest, areFew)
    if (found.length >= limit) return found
  }
  return firstOfSources(db, request, round, last, areFew)
}

function firstOfAll(
  { backwards = false, limit }: EntryPageRequest,
  ...parts: readonly (readonly EntryKey[])[]
): readonly EntryKey[] {
  const sign = backwards ? -1 : 1
  return parts
    .flat()
    .toSorted(
      (a, b) => sign * (a.value - b.value || a.position - b.position || a.entryId - b.entryId),
    )
    .slice(0, limit)
}

/** What a page is made of: a part of the order, of the subjects that are judged, or of the others. */
interface OrderSource {
  readonly part: OrderPart
  readonly set: JudgmentSet
}

/** @param last a record behind which none is looked for; null: any */
async function firstOfSources(
  db: Db,
  request: EntryPageRequest,
  sources: readonly OrderSource[],
  last: EntryKey | null,
  areFew: boolean,
): Promise<readonly EntryKey[]> {
  const direction = request.backwards === true ? sql`desc` : sql`asc`
  const queries = sources.map(
    ({ part, set }) => sql`(${placeQuery(request, part, set, last, areFew && set.isJudged)})`,
  )
  const { rows } = await sql<EntryKey>`
    select id as "entryId", position, value from (${sql.join(queries, sql` union all `)}) as found
    order by value ${direction}, position ${direction}, id ${direction}
    limit ${request.limit}::integer`.execute(db)
  return rows
}
