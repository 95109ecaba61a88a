import {
  type PropertyKind,
  propertyKinds,
  type RecordMapping,
} from '../../core/project-settings.ts'
import { UsageError } from '../../errors.ts'
import { usualKind } from '../mapping/apply-mapping.ts'
import { type ValueForm, writtenValue } from './statement-value.ts'

/** One statement to make of a record. */
export interface StatementPlan extends ValueForm {
  /** One, or latitude and longitude. */
  readonly columns: readonly string[]
  /** What divides several values of a cell. */
  readonly split?: string | undefined
}

/** One part of the reference of every statement: from a column, or the same everywhere. */
export type SourcePlan =
  | (StatementPlan & { readonly from: 'column' })
  | { readonly from: 'literal'; readonly pid: string; readonly value: string }

const PROPERTY = /^P[1-9]\d*$/
const DETAIL = /^(.+?):([a-z]+)(?::([A-Za-z0-9-]+))?$/u
const UNIT = /^Q[1-9]\d*$/
const LANGUAGE = /^[a-z]{2,}(?:-[a-z0-9]+)*$/
const DATE = /^\d{4}(?:-\d{2}){0,2}$/

/**
 * `P214=viaf`, `P625=lat,lon`, `P1082=people:number`, `P2048=height:number:Q174728`, `P1476=title:text:en`.
 * What the flag does not say is taken from the mapping, then from what is known of the property.
 * @param columns of the dataset
 * @throws UsageError `bad_flag`
 */
export function statementPlan(
  flag: string,
  columns: readonly string[],
  mapping: RecordMapping,
): StatementPlan {
  const { pid, rest } = parts('--statement', flag)
  const plan = columnPlan(pid, rest, columns, mapping)
  if (plan === undefined) throw noColumn('--statement', flag, columns)
  return plan
}

/**
 * `P248=Q36578`, `P854=https://…`, `P813=2026-11-28`, or a column. A name of a column means the column.
 * @throws UsageError `bad_flag`
 */
export function sourcePlan(
  flag: string,
  columns: readonly string[],
  mapping: RecordMapping,
): SourcePlan {
  const { pid, rest } = parts('--source', flag)
  const plan = columnPlan(pid, rest, columns, mapping)
  if (plan !== undefined) return { ...plan, from: 'column' }
  const kind = kindOf(pid, 1, undefined)
  const written = writtenValue(rest, { pid, kind: kind === 'text' ? looksLike(rest) : kind })
  if ('fault' in written) {
    throw badFlag(
      `--source ${flag}`,
      `it names no column, and as a value of ${pid} ${written.fault}`,
    )
  }
  return { from: 'literal', pid, value: written.value }
}

function columnPlan(
  pid: string,
  text: string,
  columns: readonly string[],
  mapping: RecordMapping,
): StatementPlan | undefined {
  const [, before = '', word = '', detail] = DETAIL.exec(text) ?? []
  const plain = columnsIn(text, columns)
  const kind = propertyKinds.find((one) => one === word)
  const named = plain ?? (kind === undefined ? undefined : columnsIn(before, columns))
  if (named === undefined) return undefined
  const mapped = mapping.properties.find(
    (property) => property.pid === pid && property.columns.join('\n') === named.join('\n'),
  )
  const said = plain === undefined ? kind : undefined
  const form = {
    pid,
    kind: said ?? kindOf(pid, named.length, mapped?.kind),
    dateOrder: mapped?.dateFormat,
    ...(plain === undefined && detail !== undefined ? { detail } : {}),
  }
  checkDetail(text, form)
  return { ...form, columns: named, split: mapped?.split }
}

/** `text` in a mapping only says how cells are compared, not what Wikidata holds. */
function kindOf(pid: string, columns: number, mapped: PropertyKind | undefined): PropertyKind {
  if (mapped !== undefined && mapped !== 'text') return mapped
  return usualKind(pid, columns)
}

function columnsIn(text: string, columns: readonly string[]): readonly string[] | undefined {
  if (columns.includes(text)) return [text]
  const several = text.split(',').map((part) => part.trim())
  return several.length === 2 && several.every((one) => columns.includes(one)) ? several : undefined
}

function checkDetail(text: string, { kind, detail }: ValueForm): void {
  if (detail === undefined) return
  const fits =
    kind === 'number' ? UNIT.test(detail) : kind === 'text' ? LANGUAGE.test(detail) : false
  if (fits) return
  throw badFlag(text, 'expected the item of a unit after ":number:", or a language after ":text:"')
}

function looksLike(text: string): PropertyKind {
  if (UNIT.test(text)) return 'item'
  if (/^https?:\/\//i.test(text)) return 'url'
  return DATE.test(text) ? 'date' : 'text'
}

function parts(name: string, flag: string): { readonly pid: string; readonly rest: string } {
  const at = flag.indexOf('=')
  const pid = flag.slice(0, Math.max(0, at)).trim().toUpperCase()
  const rest = flag.slice(at + 1).trim()
  if (PROPERTY.test(pid) && rest !== '') return { pid, rest }
  throw badFlag(`${name} ${flag}`, 'expected a property and a column, such as P214=viaf')
}

function noColumn(name: string, flag: string, columns: readonly string[]): UsageError {
  return badFlag(
    `${name} ${flag}`,
    `it names no column; there are: ${columns.map((column) => `"${column}"`).join(', ')}`,
  )
}

function badFlag(flag: string, reason: string): UsageError {
  return new UsageError({
    code: 'bad_flag',
    message: `${flag} is not understood: ${reason}.`,
    hint: 'Forms: P214=COLUMN, P625=LAT,LON, P1082=COLUMN:number, P1476=COLUMN:text:en. See: ./record-linker export --help',
  })
}
