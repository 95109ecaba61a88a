/** Which questions a run would ask, found by reading the due records once, in file order. */
import { defaultMatchSizes } from '../../../core/match-run.ts'
import type { LookupQuery } from '../../../core/matching/lookup-query.ts'
import { type LookupKind, lookupKind } from '../../../core/matching/lookup-kind.ts'
import { lookupKey, lookupsOf } from '../../../core/matching/lookups.ts'
import { mapRecord } from '../../../core/matching/mapped-record.ts'
import type { ProjectSettings } from '../../../core/project-settings.ts'
import type { RunOptions } from '../../../core/run.ts'
import { countTasks, taskSizes } from '../../../core/task-size.ts'
import { itemNeeds } from '../../../core/wikidata/item-needs.ts'
import { WIKIDATA_SERVICE } from '../../../core/wikidata/wikidata-service.ts'
import type { Db } from '../../../db/connect.ts'
import type { DueQuestion } from '../../../db/due-subjects.ts'
import { knownItems } from '../../../db/item-facts.repo.ts'
import { readDueRecords, storedQuestions } from '../../../db/planned-questions.ts'
import { unknownPace } from '../../../db/run-pace.repo.ts'
import { sha256 } from '../../../db/sha256.ts'
import type { Span } from './planned-requests.ts'
import { collectExamples, type SentColumns } from './sent-columns.ts'

export interface PlannedQuestions {
  /** Records that the run takes. */
  readonly records: number
  /** Of these: without a name that can be asked. */
  readonly recordsWithoutName: number
  /** Of these: asked about in any case. */
  readonly recordsToAsk: number
  /** Tasks they are dealt into, each with requests of its own. */
  readonly tasks: number
  /** Distinct questions. */
  readonly distinct: number
  /** With an answer that is used as it is. */
  readonly answered: number
  /** Asked in any case: main names without an answer, and what is to be renewed. */
  readonly toAsk: number
  /** Of these: to be renewed. */
  readonly toRefresh: number
  /** Further names without an answer: asked only while their record is undecided. */
  readonly onlyIfUndecided: number
  /** Those without an answer that is used as it is. */
  readonly byKind: readonly QuestionsOfKind[]
  /** Items that stored answers name, or records give, and that too little is known of; of Wikidata only. */
  readonly itemsToFetch: Span
  /** What the first request asks. */
  readonly first: readonly LookupQuery[]
  readonly sent: readonly SentColumns[]
}

export interface QuestionsOfKind {
  readonly kind: LookupKind
  readonly toAsk: number
  readonly onlyIfUndecided: number
}

export interface PlanRequest {
  readonly settings: ProjectSettings
  readonly question: DueQuestion
  readonly options: RunOptions
  /** Most questions in one request. */
  readonly batchSize: number
}

interface KnownQuestion {
  readonly kind: LookupKind
  readonly state: 'answered' | 'missing' | 'too_old'
  readonly attempts: number
  /** Items of its answer that are to be fetched. */
  readonly lacking: readonly string[]
  /** It is the first name of a record of this run. */
  isMain: boolean
}

/** A record's question with its key, hex of the hash. */
interface KeyedQuestion {
  readonly query: LookupQuery
  readonly hash: Buffer
  readonly key: string
}

export async function planQuestions(db: Db, request: PlanRequest): Promise<PlannedQuestions> {
  const { settings, question, options, batchSize } = request
  const { window } = defaultMatchSizes
  const known = new Map<string, KnownQuestion>()
  const first = firstRequestOf(batchSize)
  const examples = collectExamples(settings)
  /** First questions of the records: by them records are dealt into tasks. */
  const dealtBy = new Set<string>()
  const counted = { records: 0, recordsWithoutName: 0, recordsToAsk: 0 }

  await readDueRecords(db, question, options, async (page) => {
    const asked = page.map(({ cells }) =>
      keyedQuestions(lookupsOf(mapRecord(cells, settings), settings)),
    )
    await learn(db, request, known, asked.flat())
    for (const [index, questions] of asked.entries()) {
      counted.records += 1
      const [main] = questions
      if (main === undefined) {
        counted.recordsWithoutName += 1
        continue
      }
      examples.add(page[index]?.cells ?? {})
      const ofMain = known.get(main.key)
      if (ofMain !== undefined) ofMain.isMain = true
      const now = questions.filter(({ key }) => {
        const state = known.get(key)?.state
        return state === 'too_old' || (key === main.key && state === 'missing')
      })
      if (now.length === 0) continue
      counted.recordsToAsk += 1
      dealtBy.add(now[0]?.key ?? '')
      // What is beyond the records of the first task is not in its first request.
      if (counted.recordsToAsk > (options.entriesPerTask ?? Infinity)) continue
      for (const { key, query } of now) first.add(key, query, known.get(key)?.attempts ?? 0)
    }
  })

  const all = [...known.values()]
  const toRefresh = all.filter(({ state }) => state === 'too_old').length
  const missing = all.filter(({ state }) => state === 'missing')
  const mainMissing = missing.filter(({ isMain }) => isMain).length
  return {
    ...counted,
    tasks:
      options.entriesPerTask === null
        ? countTasks(dealtBy.size, taskSizes(dealtBy.size, { ...unknownPace, window, batchSize }))
        : Math.ceil(counted.recordsToAsk / options.entriesPerTask),
    distinct: all.length,
    answered: all.length - missing.length - toRefresh,
    toAsk: mainMissing + toRefresh,
    toRefresh,
    onlyIfUndecided: missing.length - mainMissing,
    byKind: countByKind(all),
    itemsToFetch: {
      least: distinctItems(all.filter(({ isMain }) => isMain)),
      most: distinctItems(all),
    },
    first: first.queries(),
    sent: examples.columns(),
  }
}

function countByKind(all: readonly KnownQuestion[]): readonly QuestionsOfKind[] {
  const counts = new Map<LookupKind, { toAsk: number; onlyIfUndecided: number }>()
  for (const { kind, state, isMain } of all) {
    if (state === 'answered') continue
    const count = counts.get(kind) ?? { toAsk: 0, onlyIfUndecided: 0 }
    if (isMain || state === 'too_old') count.toAsk += 1
    else count.onlyIfUndecided += 1
    counts.set(kind, count)
  }
  return [...counts].map(([kind, count]) => ({ kind, ...count }))
}

function distinctItems(questions: readonly KnownQuestion[]): number {
  return new Set(questions.flatMap(({ lacking }) => lacking)).size
}

function keyedQuestions(queries: readonly LookupQuery[]): readonly KeyedQuestion[] {
  return queries.map((query) => {
    const hash = sha256(lookupKey(query))
    return { query, hash, key: hash.toString('hex') }
  })
}

/** Looks up what is stored of the questions that are met for the first time. */
async function learn(
  db: Db,
  { settings, question }: PlanRequest,
  known: Map<string, KnownQuestion>,
  asked: readonly KeyedQuestion[],
): Promise<void> {
  const fresh = new Map(asked.filter(({ key }) => !known.has(key)).map((one) => [one.key, one]))
  if (fresh.size === 0) return
  const { refreshBefore = null } = question
  const hashes = [...fresh.values()].map(({ hash }) => hash)
  const rows = await storedQuestions(db, settings.service, hashes, refreshBefore)
  const stored = new Map(rows.map((row) => [row.key, row]))
  const itemsOf = ({ key, query }: KeyedQuestion): readonly string[] =>
    query.search === 'id' ? [query.query] : (stored.get(key)?.candidateIds ?? [])
  const isLacking = await lackingItems(db, settings, [...fresh.values()].flatMap(itemsOf))
  for (const [key, one] of fresh) {
    const { isAnswered = false, isTooOld = false, attempts = 0 } = stored.get(key) ?? {}
    const state = isTooOld ? 'too_old' : isAnswered ? 'answered' : 'missing'
    const lacking = itemsOf(one).filter((id) => isLacking.has(id))
    known.set(key, { kind: lookupKind(one.query), state, attempts, lacking, isMain: false })
  }
}

/** Those of the items that a run would have to fetch. */
async function lackingItems(
  db: Db,
  settings: ProjectSettings,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (settings.service !== WIKIDATA_SERVICE) return new Set()
  const known = await knownItems(db, settings.service)(ids, itemNeeds(settings).candidates)
  return new Set(ids.filter((id) => known.get(id)?.status !== 'known'))
}

/** The fresh ones go together; whoever failed before is asked alone, after them. */
function firstRequestOf(batchSize: number) {
  const fresh = new Map<string, LookupQuery>()
  let suspect: LookupQuery | undefined
  return {
    add(key: string, query: LookupQuery, attempts: number): void {
      if (attempts > 0) suspect ??= query
      else if (fresh.size < batchSize) fresh.set(key, query)
    },
    queries(): readonly LookupQuery[] {
      if (fresh.size > 0) return [...fresh.values()]
      return suspect === undefined ? [] : [suspect]
    },
  }
}
