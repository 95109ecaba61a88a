import { type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'
import type { ImageState } from './tables/image-check.table.ts'

/** Which images are meant: those that a project's matched items state, as far as they were fetched. */
export interface ImageQuestion {
  readonly projectId: number
  readonly service: string
  /** Only those that hold images. */
  readonly properties: readonly string[]
  /** ISO 8601: what could not be asked before is asked again. */
  readonly since: string
  /** ISO 8601: what was checked before counts as not known. */
  readonly renewBefore?: string | undefined
}

export interface CheckedImage {
  /** As items state it. */
  readonly value: string
  readonly state: ImageState
  /** Of what it ran into; null where it is present. */
  readonly code: string | null
}

export interface ImageCounts extends Readonly<Record<ImageState, number>> {
  readonly images: number
  readonly unchecked: number
}

/** An image of an item that is not there or is none. */
export interface FaultyImage extends CheckedImage {
  readonly item: string
  readonly property: string
}

/** The next values, in alphabetical order, that nothing is known of. */
export async function uncheckedImages(
  db: Db,
  question: ImageQuestion,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ value: string }>`
    select distinct h.value from ${heldImages(question)}
    where not ${isKnown(question)}
    order by h.value limit ${limit}::integer`.execute(db)
  return rows.map(({ value }) => value)
}

/** A clock behind that of whoever began the check makes nothing unknown again. */
export async function storeImageChecks(
  db: Db,
  { service, since }: Pick<ImageQuestion, 'service' | 'since'>,
  checked: readonly CheckedImage[],
): Promise<void> {
  if (checked.length === 0) return
  await sql`
    insert into image_check (service, value, state, code, checked_at)
    select ${service}::text, c.value, c.state, c.code,
      greatest(clock_timestamp(), ${since}::timestamptz)
    from unnest(
      ${checked.map(({ value }) => value)}::text[],
      ${checked.map(({ state }) => state)}::text[],
      ${checked.map(({ code }) => code)}::text[]
    ) as c (value, state, code)
    order by c.value
    on conflict (service, value) do update
    set state = excluded.state, code = excluded.code, checked_at = excluded.checked_at`.execute(db)
}

export async function countImages(db: Db, question: ImageQuestion): Promise<ImageCounts> {
  const { rows } = await sql<{ state: ImageState | null; count: number }>`
    select case when ${isKnown(question)} then c.state end as state,
      count(distinct h.value)::integer as count
    from ${heldImages(question)} group by 1`.execute(db)
  const of = (state: ImageState | null) => rows.find((row) => row.state === state)?.count ?? 0
  return {
    images: rows.reduce((sum, { count }) => sum + count, 0),
    present: of('present'),
    missing: of('missing'),
    not_an_image: of('not_an_image'),
    no_file_name: of('no_file_name'),
    failed: of('failed'),
    unchecked: of(null),
  }
}

/** Every value that is known not to be an image that is there, by item. */
export async function faultyImages(
  db: Db,
  question: ImageQuestion,
): Promise<readonly FaultyImage[]> {
  const { rows } = await sql<FaultyImage>`
    select distinct h.item, h.property, h.value, c.state, c.code from ${heldImages(question)}
    where c.state <> 'present' and ${isKnown(question)}
    order by h.item, h.property, h.value`.execute(db)
  return rows
}

/** Rows `h` (item, property, value) with the check `c` of the value, if any. */
function heldImages({ projectId, service, properties }: ImageQuestion): RawBuilder<unknown> {
  return sql`(
      select v.external_id as item, v.property, one.value #>> '{}' as value
      from item_value v cross join lateral jsonb_array_elements(v.held) as one (value)
      where v.service = ${service}::text and v.property = any(${properties}::text[])
        and jsonb_typeof(one.value) = 'string'
        and v.external_id in (
          select r.match_qid from result r
          where r.project_id = ${projectId}::bigint and coalesce(r.service, ${service}::text) = ${service}::text)
    ) as h
    left join image_check c on c.service = ${service}::text and c.value = h.value`
}

function isKnown({ since, renewBefore }: ImageQuestion): RawBuilder<boolean> {
  const isFresh =
    renewBefore === undefined ? sql`true` : sql`c.checked_at >= ${renewBefore}::timestamptz`
  return sql`(c.state is not null and ${isFresh}
    and (c.state <> 'failed' or c.checked_at >= ${since}::timestamptz))`
}
