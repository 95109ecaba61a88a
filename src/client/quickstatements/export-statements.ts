import { datasetById } from '../../db/datasets.repo.ts'
import type { Db } from '../../db/connect.ts'
import type { Project } from '../../db/projects.repo.ts'
import { type EntryResult, readResults } from '../../db/results.repo.ts'
import { UsageError } from '../../errors.ts'
import {
  newItemLines,
  recordStatements,
  type StatementFault,
  type StatementPlans,
} from './record-statements.ts'
import { sourcePlan, statementPlan } from './statement-flags.ts'

export interface StatementRequest {
  readonly statements: readonly string[]
  readonly sources: readonly string[]
  /** Also matches that no person has judged. */
  readonly includeAutomatic: boolean
  /** A new item for each record judged `not_in_wikidata`. */
  readonly createNew: boolean
  readonly includeAbsent: boolean
}

export interface StatementsReport {
  readonly lines: readonly string[]
  /** Statements, those of new items included. */
  readonly statements: number
  /** Items that get some. */
  readonly items: number
  readonly newItems: number
  readonly faults: readonly StatementFault[]
  /** Records that were matched by the program only, and left out. */
  readonly automatic: number
  /** Records judged `not_in_wikidata`, and left out. */
  readonly newLeftOut: number
  /** Records that have an item and nothing to state. */
  readonly empty: number
  /** Records neither matched nor judged to be new. */
  readonly others: number
  /** Of every statement, source properties whose cell was blank: how many records. */
  readonly blankSources: Readonly<Record<string, number>>
  /** Names that several new items would have. */
  readonly sameNames: number
  /** Statements of days before the Gregorian calendar began. */
  readonly oldDates: number
}

/**
 * Makes the commands of QuickStatements, version 1. The same statement of an item is written once.
 * @throws UsageError `bad_flag`, `nothing_to_state`
 */
export async function exportStatements(
  db: Db,
  project: Project,
  request: StatementRequest,
): Promise<StatementsReport> {
  const { id: projectId, datasetId, settings } = project
  const dataset = await datasetById(db, datasetId)
  if (dataset === undefined) throw new Error(`The dataset of project ${projectId} is gone.`)
  if (request.statements.length === 0 && !request.createNew) throw nothingToState()
  const { mapping } = settings
  const plans: StatementPlans = {
    statements: request.statements.map((flag) => statementPlan(flag, dataset.columns, mapping)),
    sources: request.sources.map((flag) => sourcePlan(flag, dataset.columns, mapping)),
  }
  const made = startStatements()
  await readResults(
    db,
    {
      projectId,
      datasetId,
      service: settings.service,
      statuses: [],
      includeAbsent: request.includeAbsent,
    },
    async (page) => {
      for (const result of page) addRecord(made, result, project, request, plans)
    },
  )
  return {
    ...made,
    items: made.ids.size,
    sameNames: [...made.labels.values()].filter((count) => count > 1).length,
    oldDates: made.lines.filter(isOldDay).length,
  }
}

const DAY = /\tP\d+\t([+-])(\d+)-(\d\d)-(\d\d)T00:00:00Z\/11/
const FIRST_GREGORIAN_DAY = 15_821_015

function isOldDay(line: string): boolean {
  const [, sign, year = '', month = '', day = ''] = DAY.exec(line) ?? []
  return sign === '-' || (sign === '+' && Number(year + month + day) < FIRST_GREGORIAN_DAY)
}

interface MadeStatements {
  readonly lines: string[]
  readonly faults: StatementFault[]
  readonly ids: Set<string>
  readonly written: Set<string>
  /** Label line of a new item → new items. */
  readonly labels: Map<string, number>
  readonly blankSources: Record<string, number>
  statements: number
  newItems: number
  automatic: number
  newLeftOut: number
  empty: number
  others: number
}

function startStatements(): MadeStatements {
  return {
    lines: [],
    faults: [],
    ids: new Set(),
    written: new Set(),
    labels: new Map(),
    blankSources: {},
    statements: 0,
    newItems: 0,
    automatic: 0,
    newLeftOut: 0,
    empty: 0,
    others: 0,
  }
}

function addRecord(
  made: MadeStatements,
  result: EntryResult,
  { settings }: Project,
  request: StatementRequest,
  plans: StatementPlans,
): void {
  const { externalId: record, status, judged, stale, source } = result
  // Statements of an item that became part of another belong to that one.
  const qid = result.mergedInto ?? result.qid
  const isNew = status === 'not_in_wikidata'
  if (!isNew && qid === null) return void (made.others += 1)
  if (!isNew && !judged && !request.includeAutomatic) return void (made.automatic += 1)
  if (isNew && !request.createNew) return void (made.newLeftOut += 1)
  const whole = (reason: string) =>
    void made.faults.push({ record, property: null, column: null, reason })
  if (stale)
    return whole('the record, its mapping or its item changed since it was judged; judge it again')
  if (qid !== null && !/^Q[1-9]\d*$/.test(qid)) return whole('its item is none of Wikidata')
  if (result.itemState === 'missing') return whole('its item is no longer there')
  const read = recordStatements(record, source, settings, plans)
  made.faults.push(...read.faults)
  for (const pid of read.blankSources) made.blankSources[pid] = (made.blankSources[pid] ?? 0) + 1
  if (qid !== null) {
    addToItem(made, qid, read.tails)
    if (read.tails.length === 0 && read.faults.length === 0) made.empty += 1
    return
  }
  const created = newItemLines(record, source, settings)
  if ('fault' in created) return void made.faults.push(created.fault)
  const [, label = ''] = created.lines
  made.labels.set(label, (made.labels.get(label) ?? 0) + 1)
  made.lines.push(...created.lines, ...read.tails.map((tail) => `LAST\t${tail}`))
  made.statements += read.tails.length
  made.newItems += 1
}

function addToItem(made: MadeStatements, qid: string, tails: readonly string[]): void {
  for (const tail of tails) {
    const line = `${qid}\t${tail}`
    if (made.written.has(line)) continue
    made.written.add(line)
    made.lines.push(line)
    made.statements += 1
    made.ids.add(qid)
  }
}

function nothingToState(): UsageError {
  return new UsageError({
    code: 'nothing_to_state',
    message: 'It is not said what to state of the items; expected --statement, or --create-new.',
    hint: 'Such as: --format quickstatements --statement P214=viaf --source P854=url',
  })
}
