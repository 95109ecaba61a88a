/** Which columns leave this machine, and as what; which stay. */
import { lookupsOf, sentValues } from '../../../core/matching/lookups.ts'
import { WIKIDATA_SERVICE } from '../../../core/wikidata/wikidata-service.ts'
import { type Cells, mapRecord, mappedColumns } from '../../../core/matching/mapped-record.ts'
import type {
  ProjectSettings,
  PropertyMapping,
  RecordMapping,
} from '../../../core/project-settings.ts'

export interface SentColumns {
  /** More than one where a template or a pair of coordinates puts them together. */
  readonly columns: readonly string[]
  /** `query`, `type`, or `property P17`. */
  readonly as: string
  /** A further name: only asked while its record is undecided. */
  readonly onlyIfUndecided: boolean
  /** As they are sent, from the records that are due; at most three. */
  readonly examples: readonly string[]
}

export interface KeptColumn {
  readonly column: string
  /** `compare`: with the answers, on this machine. `keep`: not read at all. */
  readonly use: 'compare' | 'keep'
}

const MOST_EXAMPLES = 3

interface SentRole extends Omit<SentColumns, 'examples'> {
  readonly valuesOf: (cells: Cells) => readonly string[]
}

/** Collects what records show of the columns that are sent. */
export function collectExamples(settings: ProjectSettings) {
  const collected = sentRoles(settings).map((role) => ({ role, examples: new Set<string>() }))
  return {
    /** @param cells of a record that has a name to ask for */
    add(cells: Cells): void {
      for (const { role, examples } of collected) {
        if (examples.size === MOST_EXAMPLES) continue
        for (const value of role.valuesOf(cells)) {
          if (examples.size < MOST_EXAMPLES) examples.add(value)
        }
      }
    },
    columns: (): readonly SentColumns[] =>
      collected.map(({ role: { columns, as, onlyIfUndecided }, examples }) => ({
        columns,
        as,
        onlyIfUndecided,
        examples: [...examples],
      })),
  }
}

/** The columns of a dataset that no part of is sent. */
export function keptColumns(
  settings: ProjectSettings,
  columns: readonly string[],
): readonly KeptColumn[] {
  const sent = new Set(sentRoles(settings).flatMap((role) => role.columns))
  const { properties, typeColumn } = settings.mapping
  const compared = new Set([
    ...properties.filter(({ use }) => use !== 'keep').flatMap((one) => one.columns),
    ...(typeColumn === undefined ? [] : [typeColumn]),
  ])
  return columns
    .filter((column) => !sent.has(column))
    .map((column) => ({ column, use: compared.has(column) ? 'compare' : 'keep' }))
}

function sentRoles(settings: ProjectSettings): readonly SentRole[] {
  const { mapping } = settings
  const only = (part: Partial<RecordMapping>): ProjectSettings => ({
    ...settings,
    types: [],
    mapping: { name: '', variants: [], properties: [], ...part },
  })
  const names = (part: Partial<RecordMapping>) => (cells: Cells) =>
    lookupsOf(mapRecord(cells, only(part)), settings).map(({ query }) => query)
  const { typeColumn, earlier } = mapping
  const isWikidata = settings.service === WIKIDATA_SERVICE
  const asText = (property: PropertyMapping) => (cells: Cells) =>
    mapRecord(cells, only({ properties: [property] })).properties.flatMap(sentValues)
  return [
    {
      columns: mappedColumns(only({ name: mapping.name })),
      as: 'query',
      onlyIfUndecided: false,
      valuesOf: names({ name: mapping.name }),
    },
    ...mapping.variants.map((variant) => ({
      columns: [variant.column],
      as: 'query',
      onlyIfUndecided: true,
      valuesOf: names({ variants: [variant] }),
    })),
    ...(earlier?.use !== 'verify'
      ? []
      : [
          {
            columns: [earlier.column],
            as: 'query',
            onlyIfUndecided: false,
            valuesOf: names({ earlier }),
          },
        ]),
    ...(typeColumn === undefined || isWikidata
      ? []
      : [
          {
            columns: [typeColumn],
            as: 'type',
            onlyIfUndecided: false,
            valuesOf: (cells: Cells) => mapRecord(cells, only({ typeColumn })).types,
          },
        ]),
    ...mapping.properties
      // Wikidata is asked for identifiers only.
      .filter(({ use, kind }) => use === 'send' && (kind === 'id' || !isWikidata))
      .map((property) => ({
        columns: property.columns,
        as: `property ${property.pid}`,
        onlyIfUndecided: false,
        valuesOf: isWikidata ? names({ properties: [property] }) : asText(property),
      })),
  ]
}
