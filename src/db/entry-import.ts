/**
 * An import as one transaction: the entries of a file stream into a staging table by COPY and become new, changed,
 * unchanged or absent entries of the dataset. Until the commit everybody sees the old state, and an import that
 * breaks off leaves it so.
 */
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Cells } from '../core/matching/mapped-record.ts'
import { UsageError } from '../errors.ts'
import { type Db, withCopyTransaction } from './connect.ts'
import { copyRows } from './copy-text.ts'
import { type Dataset, findDataset } from './datasets.repo.ts'
import { sha256 } from './sha256.ts'
import { tellPlanner } from './table-statistics.ts'

export interface IncomingEntry {
  /** Place in the dataset, from 1. */
  readonly position: number
  /** Line of the file, for messages. */
  readonly line: number
  readonly externalId: string
  readonly source: Cells
  /** The line as it was, where our writer would write other bytes. */
  readonly raw: string | null
}

/** A record whose id an earlier record of the same file has. */
export interface DuplicateEntry extends Omit<IncomingEntry, 'position'> {
  readonly firstLine: number
}

export interface EntryImport {
  readonly datasetName: string
  /** The file adds to the dataset: what it does not mention is not absent. */
  readonly append: boolean
  /** Finds out what would become of the entries, and leaves everything as it was. */
  readonly isTrial: boolean
  /**
   * The entries in file order; may throw to call the import off.
   * @param existing what the dataset is before; undefined: it is new
   * @param lastPosition 0 for a new dataset
   */
  readonly entries: (
    existing: Dataset | undefined,
    lastPosition: number,
  ) => AsyncIterable<readonly IncomingEntry[]>
  readonly onDuplicate: (duplicate: DuplicateEntry) => Promise<void>
  /** What the file turned out to be, asked after its last entry; may throw to call the import off. */
  readonly facts: (existing: Dataset | undefined) => DatasetFacts
  /** What else is written in the transaction, once the entries are. */
  readonly afterwards?: (tx: Db, imported: ImportedEntries) => Promise<void>
}

export type DatasetFacts = Pick<Dataset, 'columns' | 'idColumns' | 'format'>

export interface EntryCounts {
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  /** Entries of the dataset that the file does not have, earlier imports' ones included. */
  readonly absent: number
  readonly duplicates: number
}

export interface ImportedEntries extends EntryCounts {
  readonly datasetId: number
}

const DUPLICATES_PER_PAGE = 1000

/** @throws UsageError `import_running` while another import into the dataset has not ended */
export async function importEntries(db: Db, work: EntryImport): Promise<ImportedEntries> {
  const run = async (tx: Db, client: PoolClient): Promise<ImportedEntries> => {
    await lockDataset(tx, work.datasetName)
    const existing = await findDataset(tx, work.datasetName)
    const lastPosition = existing === undefined ? 0 : await lastPositionOf(tx, existing.id)
    await stageEntries(client, work.entries(existing, lastPosition))
    const facts = work.facts(existing)
    const duplicates = await takeOutDuplicates(tx, work.onDuplicate)
    const datasetId = await writeDataset(tx, work.datasetName, facts)
    const counts = await countStaged(tx, datasetId)
    await writeEntries(tx, datasetId, work.append)
    const absent = await markAbsent(tx, datasetId, work.append)
    await tellPlanner(tx, counts.new + counts.changed, ['entry'])
    const imported = { datasetId, ...counts, absent, duplicates }
    await work.afterwards?.(tx, imported)
    return imported
  }
  return withCopyTransaction(db, run, work.isTrial ? 'rollback' : 'commit')
}

async function lockDataset(tx: Db, name: string): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('record-linker import'), hashtext(${name})) as locked`.execute(
    tx,
  )
  if (rows[0]?.locked === true) return
  throw new UsageError({
    code: 'import_running',
    message: `Another import into the dataset "${name}" is running.`,
    hint: 'Wait until it has ended.',
  })
}

async function lastPositionOf(tx: Db, datasetId: number): Promise<number> {
  const row = await tx
    .selectFrom('entry')
    .where('dataset_id', '=', datasetId)
    .select((eb) => eb.fn.max('position').as('position'))
    .executeTakeFirst()
  return row?.position ?? 0
}

async function stageEntries(
  client: PoolClient,
  batches: AsyncIterable<readonly IncomingEntry[]>,
): Promise<void> {
  await client.query(`
    create temporary table import_entry (
      position bigint, line bigint, external_id text, source jsonb, raw text, source_hash bytea
    ) on commit drop`)
  await copyRows(client, 'import_entry', stagingRows(batches))
  await client.query(`create index on import_entry (external_id)`)
  await client.query(`analyze import_entry`)
}

async function* stagingRows(batches: AsyncIterable<readonly IncomingEntry[]>) {
  for await (const batch of batches) {
    yield batch.map((entry) => [
      entry.position,
      entry.line,
      entry.externalId,
      JSON.stringify(entry.source),
      entry.raw,
      sourceHash(entry.source),
    ])
  }
}

/** Over all cells with their columns' names, whatever the order of the columns. */
function sourceHash(source: Cells): Buffer {
  return sha256(JSON.stringify(Object.entries(source).sort(([a], [b]) => (a < b ? -1 : 1))))
}

/** The first record of an id stays; the others are reported in file order. */
async function takeOutDuplicates(tx: Db, onDuplicate: EntryImport['onDuplicate']): Promise<number> {
  await sql`
    create temporary table import_duplicate on commit drop as
    select position, first_line from (
      select position, row_number() over same_id as place, first_value(line) over same_id as first_line
      from import_entry window same_id as (partition by external_id order by position)
    ) as numbered where place > 1`.execute(tx)
  let count = 0
  let after = 0
  for (;;) {
    const { rows } = await sql<DuplicateEntry & { position: number }>`
      select position, line, external_id as "externalId", source, raw, first_line as "firstLine"
      from import_duplicate join import_entry using (position)
      where position > ${after} order by position limit ${DUPLICATES_PER_PAGE}`.execute(tx)
    for (const row of rows) await onDuplicate(row)
    count += rows.length
    after = rows.at(-1)?.position ?? after
    if (rows.length < DUPLICATES_PER_PAGE) break
  }
  if (count > 0) {
    await sql`delete from import_entry where position in (select position from import_duplicate)`.execute(
      tx,
    )
  }
  return count
}

async function writeDataset(tx: Db, name: string, facts: DatasetFacts): Promise<number> {
  const described = {
    columns: JSON.stringify(facts.columns),
    id_columns: JSON.stringify(facts.idColumns),
    format: JSON.stringify(facts.format),
  }
  const { id } = await tx
    .insertInto('dataset')
    .values({ name, ...described })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ ...described, imported_at: sql`now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function countStaged(tx: Db, datasetId: number) {
  const { rows } = await sql<Pick<EntryCounts, 'new' | 'changed' | 'unchanged'>>`
    select count(*) filter (where e.id is null) as "new",
      count(*) filter (where e.source_hash <> i.source_hash) as changed,
      count(*) filter (where e.source_hash = i.source_hash) as unchanged
    from import_entry i
    left join entry e on e.dataset_id = ${datasetId} and e.external_id = i.external_id`.execute(tx)
  return rows[0] ?? { new: 0, changed: 0, unchanged: 0 }
}

async function writeEntries(tx: Db, datasetId: number, append: boolean): Promise<void> {
  // An appended file does not move what it mentions again.
  const position = append ? sql`e.position` : sql`i.position`
  await sql`
    update entry e
    set position = ${position}, source = i.source, raw = i.raw, source_hash = i.source_hash,
      absent_since = null,
      imported_at = case when e.source_hash = i.source_hash then e.imported_at else now() end
    from import_entry i
    where e.dataset_id = ${datasetId} and e.external_id = i.external_id
      and (e.position, e.raw, e.source_hash, e.absent_since)
        is distinct from (${position}, i.raw, i.source_hash, null::timestamptz)`.execute(tx)
  await sql`
    insert into entry (dataset_id, external_id, position, source, raw, source_hash)
    select ${datasetId}, i.external_id, i.position, i.source, i.raw, i.source_hash
    from import_entry i
    where not exists (
      select from entry e where e.dataset_id = ${datasetId} and e.external_id = i.external_id
    )
    order by i.position`.execute(tx)
}

async function markAbsent(tx: Db, datasetId: number, append: boolean): Promise<number> {
  if (!append) {
    await sql`
      update entry e set absent_since = now()
      where e.dataset_id = ${datasetId} and e.absent_since is null
        and not exists (select from import_entry i where i.external_id = e.external_id)`.execute(tx)
  }
  const row = await tx
    .selectFrom('entry')
    .where('dataset_id', '=', datasetId)
    .where('absent_since', 'is not', null)
    .select((eb) => eb.fn.countAll<number>().as('absent'))
    .executeTakeFirstOrThrow()
  return row.absent
}
