/** What a person says of a file on the import page: read from its form, begun by a suggestion. */
import {
  type ColumnLook,
  type ColumnRole,
  columnRoles,
  type SuggestedColumn,
  suggestMapping,
} from '../core/mapping/suggest-mapping.ts'
import { type EntityKind, entityKinds } from '../core/project-settings.ts'
import { isLongitude } from '../client/import/suggested-flags.ts'
import { usualKind } from '../client/mapping/apply-mapping.ts'
import { checkMapping, type MappingChanges } from '../client/mapping/mapping-file.ts'
import { UsageError } from '../errors.ts'
import type { Fields } from './read-fields.ts'

export interface DraftColumn extends SuggestedColumn {
  /** Of a property: whether it goes along with the question, or is compared here only. */
  readonly use: 'send' | 'compare'
}

export interface ImportDraft {
  readonly dataset: string
  /** A service name or an address. */
  readonly service: string
  readonly kind: EntityKind
  /** As typed. */
  readonly languages: string
  readonly types: string
  /** What the file lacks is not absent. */
  readonly append: boolean
  readonly columns: readonly DraftColumn[]
}

export function suggestedDraft(fileName: string, looks: readonly ColumnLook[]): ImportDraft {
  const { kind, columns } = suggestMapping(looks)
  return {
    dataset: fileName.replace(/(\.(csv|tsv|txt|jsonl|ndjson|json|xlsx|gz))+$/i, ''),
    service: 'wikidata',
    kind,
    languages: 'en',
    types: '',
    append: false,
    columns: columns.map((column) => ({ ...column, use: 'send' })),
  }
}

/** Of a form that was sent: whatever stands in it is kept, so that it can be shown again. */
export function readDraft({ text }: Fields, before: ImportDraft): ImportDraft {
  return {
    dataset: text('dataset').trim(),
    service: text('service') === 'other' ? text('address').trim() : text('service'),
    kind: entityKinds.find((kind) => kind === text('kind')) ?? before.kind,
    languages: text('languages').trim(),
    types: text('types').trim(),
    append: text('append') === 'yes',
    columns: before.columns.map((column, at) => ({
      ...column,
      role: readRole(text(`role-${at}`)) ?? column.role,
      pid: text(`pid-${at}`).trim(),
      separator: text(`separator-${at}`).trim(),
      use: text(`use-${at}`) === 'compare' ? 'compare' : 'send',
    })),
  }
}

function readRole(text: string): ColumnRole | undefined {
  return columnRoles.find((role) => role === text)
}

export function draftIds({ columns }: ImportDraft): readonly string[] {
  return columns.filter(({ role }) => role === 'id').map(({ column }) => column)
}

/**
 * The same as a mapping file: what it does not name is not used, whatever the dataset said before.
 * @throws UsageError `no_name_column`, `no_property`, `several_items`, `bad_mapping`
 */
export function draftMapping(draft: ImportDraft): MappingChanges {
  const of = (role: ColumnRole) => draft.columns.filter((column) => column.role === role)
  const names = of('name').map(({ column }) => column)
  if (names.length === 0) {
    throw new UsageError({
      code: 'no_name_column',
      message: 'It is not said which column has the name.',
      hint: 'Choose "name" for one column, or for several that make one name together.',
    })
  }
  const nameless = of('property').find(({ pid }) => pid === '')
  if (nameless !== undefined) {
    throw new UsageError({
      code: 'no_property',
      message: `It is not said which property column "${nameless.column}" has.`,
      hint: 'Give it, such as P569 for a date of birth, or choose "not used".',
    })
  }
  const [earlier, second] = of('earlier')
  if (earlier !== undefined && second !== undefined) {
    throw new UsageError({
      code: 'several_items',
      message: `Columns "${earlier.column}" and "${second.column}" are both chosen as the item that was found earlier; a record has one.`,
      hint: 'Choose something else for one of them.',
    })
  }
  const mapping = {
    name: names.length === 1 ? names[0] : names.map((name) => `{${name}}`).join(' '),
    variants: of('variant').map(({ column, separator }) => ({
      column,
      ...(separator === '' ? {} : { separator }),
    })),
    properties: propertiesOf(of('property')),
    earlier: earlier === undefined ? null : { column: earlier.column, use: 'judge' },
    typeColumn: null,
    kind: draft.kind,
    languages: wordsOf(draft.languages),
    types: wordsOf(draft.types),
  }
  return checkMapping(mapping, 'What was chosen')
}

/** Two columns of coordinates are one value; the latitude is first, as in the file or by its name. */
function propertiesOf(columns: readonly DraftColumn[]) {
  const pids = [...new Set(columns.map(({ pid }) => pid))]
  return pids.flatMap((pid) => {
    const of = columns.filter((column) => column.pid === pid)
    const isPair = of.length === 2 && usualKind(pid, 1) === 'coordinate'
    if (!isPair) {
      return of.map(({ column, separator, use }) => ({
        pid,
        columns: [column],
        use,
        ...(separator === '' ? {} : { split: separator }),
      }))
    }
    const pair = of.toSorted((a, b) => Number(isLongitude(a)) - Number(isLongitude(b)))
    return [{ pid, columns: pair.map(({ column }) => column), use: of[0]?.use ?? 'send' }]
  })
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '')
}
