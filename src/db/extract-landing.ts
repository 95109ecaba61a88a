/**
 * The items of a content type become entries of a dataset, as an import of them would: new, changed, unchanged, and, where
 * the list can be believed, absent. The checkpoint ends in the same transaction, so it is done once.
 */
import { sql } from 'kysely'
import { type AbsenceVerdict, judgeAbsence } from '../core/extract/absence-rule.ts'
import { idColumnOf, itemCells } from '../core/extract/item-cells.ts'
import type { ListingVerdict } from '../core/extract/listing-verdict.ts'
import { isNumbered } from '../core/extract/paginator.ts'
import type { ContentType } from '../core/extract/source-profile.ts'
import { UsageError } from '../errors.ts'
import type { Db } from './connect.ts'
import { type Dataset, findDataset } from './datasets.repo.ts'
import { type EntryCounts, importEntries, type IncomingEntry } from './entry-import.ts'
import { endType } from './extract-checkpoints.repo.ts'
import type { TypeKey } from './extract-pages.repo.ts'

/** What landing came to; kept with the checkpoint. */
export interface LandedItems extends Pick<EntryCounts, 'new' | 'changed' | 'unchanged' | 'absent'> {
  /** Entries that the list no longer has, and that were not marked absent. */
  readonly leftPresent: number
  /** Why they were not. */
  readonly absenceCode: AbsenceVerdict['code']
}

export interface Landing {
  readonly dataset: string
  readonly type: ContentType
  readonly verdict: ListingVerdict
  readonly mostAbsentPercent: number
  /** The list has only what changed, and says nothing of other items. */
  readonly isPartial: boolean
}

const ITEMS_PER_BATCH = 1_000

/**
 * Lands the items and ends the type.
 * @throws UsageError `import_running` while an import into the dataset goes on; `dataset_not_extracted`
 */
export async function landItems(db: Db, key: TypeKey, landing: Landing): Promise<void> {
  const { dataset: datasetName, type, verdict, isPartial, mostAbsentPercent } = landing
  const facts = await absenceFacts(db, key, landing)
  const { state } = verdict
  const absence = judgeAbsence({ ...facts, state, isPartial, mostAbsentPercent })
  const keepsPlaces = absence.marks !== 'all'
  const columns = new Set<string>()
  await importEntries(db, {
    datasetName,
    append: keepsPlaces,
    isTrial: false,
    entries: (existing, lastPosition) => {
      for (const column of existing?.columns ?? [idColumnOf(type)]) columns.add(column)
      return readItems(db, key, type, columns, keepsPlaces ? lastPosition : 0)
    },
    onDuplicate: async () => undefined,
    facts: (existing) => {
      if (existing !== undefined) checkDataset(existing, type)
      return {
        columns: [...columns],
        idColumns: [idColumnOf(type)],
        format: { kind: 'jsonl', encoding: 'utf-8', lineEnding: '\n' },
      }
    },
    async afterwards(tx, counts) {
      const marked =
        absence.marks === 'missing_twice' ? await markMissingTwice(tx, key, counts.datasetId) : 0
      const landed: LandedItems = {
        new: counts.new,
        changed: counts.changed,
        unchanged: counts.unchanged,
        absent: counts.absent + marked,
        leftPresent: absence.marks === 'all' || isPartial ? 0 : facts.missing - marked,
        absenceCode: absence.code,
      }
      await endType(tx, key, { ...verdict, landed })
    },
  })
}

/**
 * A dataset of a file is not mixed with one of a source.
 * @throws UsageError `dataset_not_extracted`
 */
export function checkDataset(existing: Dataset, type: ContentType): void {
  const idColumn = idColumnOf(type)
  const isAlike =
    existing.format.kind === 'jsonl' &&
    existing.idColumns.length === 1 &&
    existing.idColumns[0] === idColumn
  if (isAlike) return
  throw new UsageError({
    code: 'dataset_not_extracted',
    message: `Dataset "${existing.name}" was imported from a file with other ids; expected one whose id is "${idColumn}".`,
    hint: 'Give another name with --dataset.',
  })
}

async function* readItems(
  db: Db,
  { runId, type: name }: TypeKey,
  type: ContentType,
  columns: Set<string>,
  lastPosition: number,
): AsyncGenerator<readonly IncomingEntry[]> {
  let count = 0
  let after = { position: -1, ordinal: -1 }
  for (;;) {
    const { rows } = await sql<{ id: string; body: string; position: number; ordinal: number }>`
      select i.item_id as id, b.body::text as body, i.position, i.ordinal
      from extract_item i
      join extract_body b on b.hash = i.content_hash
      where i.run_id = ${runId}::bigint and i.type = ${name}::text
        and (i.position, i.ordinal) > (${after.position}::bigint, ${after.ordinal}::integer)
      order by i.position, i.ordinal
      limit ${ITEMS_PER_BATCH}::integer`.execute(db)
    yield rows.map(({ id, body }) => {
      const source = itemCells(type, id, body)
      for (const column of Object.keys(source)) columns.add(column)
      count += 1
      const raw = type.columns === null ? body : null
      return { position: lastPosition + count, line: count, externalId: id, source, raw }
    })
    const last = rows.at(-1)
    if (last === undefined || rows.length < ITEMS_PER_BATCH) return
    after = { position: last.position, ordinal: last.ordinal }
  }
}

async function absenceFacts(db: Db, key: TypeKey, { dataset, type }: Landing) {
  const existing = await findDataset(db, dataset)
  const { rows } = await sql<{
    present: number
    missing: number
    missingTwice: number
    listed: number
    canMiss: boolean
  }>`
    select count(*) as present, count(*) filter (where ${isMissing(key)}) as missing,
      count(*) filter (where ${isMissing(key)} and ${wasMissing(key)}) as "missingTwice",
      (select count(*) from extract_item i
        where i.run_id = ${key.runId}::bigint and i.type = ${key.type}::text) as listed,
      ${isNumbered(type.paginator)}::boolean and (
        select count(*) filter (where p.rows > 0) > 1 and max(p.total) is null
        from extract_page p where p.run_id = ${key.runId}::bigint and p.type = ${key.type}::text
      ) as "canMiss"
    from entry e
    where e.dataset_id = ${existing?.id ?? null}::bigint and e.absent_since is null`.execute(db)
  const [facts] = rows
  if (facts === undefined) throw new TypeError('expected counts')
  return facts
}

async function markMissingTwice(tx: Db, key: TypeKey, datasetId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update entry e set absent_since = now()
    where e.dataset_id = ${datasetId}::bigint and e.absent_since is null
      and ${isMissing(key)} and ${wasMissing(key)}`.execute(tx)
  return Number(numAffectedRows)
}

/** Of an entry `e`: it is not in the list of this run. */
function isMissing({ runId, type }: TypeKey) {
  return sql`not exists (
    select from extract_item i
    where i.run_id = ${runId}::bigint and i.type = ${type}::text and i.item_id = e.external_id)`
}

/** Of an entry `e`: it was not in the last complete list of everything before this run; there was one. */
function wasMissing({ runId, type }: TypeKey) {
  return sql`exists (
    select from extract_checkpoint c
    where c.run_id = (
        select max(b.run_id) from extract_checkpoint b
        join extract_checkpoint own on own.run_id = ${runId}::bigint and own.type = ${type}::text
        join extract_run r on r.id = b.run_id
        where b.type = own.type and b.dataset = own.dataset and b.state = 'complete'
          and b.run_id < own.run_id and (r.options -> 'since' ->> b.type) is null)
      and c.type = ${type}::text
      and not exists (
        select from extract_item i
        where i.run_id = c.run_id and i.type = c.type and i.item_id = e.external_id))`
}
