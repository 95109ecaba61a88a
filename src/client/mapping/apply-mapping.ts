import { isIdentifierProperty } from '../../core/identifiers/plain-identifier.ts'
import {
  type DecisionThresholds,
  type EntityKind,
  type PropertyKind,
  propertyKinds,
  type PropertyMapping,
  thresholdsByKind,
} from '../../core/project-settings.ts'
import type { DatasetMapping } from '../../db/tables/dataset.table.ts'
import { UsageError } from '../../errors.ts'
import type { MappingChanges } from './mapping-file.ts'

const DEFAULT_CANDIDATES = 10

// Properties whose kind is worth knowing without being told; everything else is text.
const KINDS: Readonly<Partial<Record<PropertyKind, readonly string[]>>> = {
  date: ['P569', 'P570', 'P571', 'P576', 'P577', 'P580', 'P582', 'P585', 'P813'],
  url: ['P856', 'P973', 'P953', 'P854'],
  coordinate: ['P625'],
  item: [
    'P17',
    'P19',
    'P20',
    'P21',
    'P27',
    'P31',
    'P50',
    'P106',
    'P131',
    'P143',
    'P159',
    'P170',
    'P248',
    'P495',
  ],
}

/**
 * Lays changes over what holds so far. A list replaces the list before it.
 * @param before undefined: the defaults
 * @throws UsageError `no_name_column`
 */
export function applyMapping(
  changes: MappingChanges,
  before: DatasetMapping | null | undefined,
): DatasetMapping {
  const name = changes.name ?? before?.mapping.name
  if (name === undefined) throw noName()
  const kind = changes.kind ?? before?.kind ?? 'generic'
  const { typeColumn = before?.mapping.typeColumn, earlier = before?.mapping.earlier } = changes
  return {
    kind,
    languages: changes.languages ?? before?.languages ?? ['en'],
    types: changes.types ?? before?.types ?? [],
    limit: changes.candidates ?? before?.limit ?? DEFAULT_CANDIDATES,
    thresholds: thresholdsOf(changes, thresholdsBefore(before, kind)),
    // Learned for one kind of entity, they mean nothing for another.
    ...(before?.weights === undefined || before.kind !== kind ? {} : { weights: before.weights }),
    mapping: {
      name,
      variants: changes.variants ?? before?.mapping.variants ?? [],
      properties: changes.properties?.map(wholeProperty) ?? before?.mapping.properties ?? [],
      ...(typeColumn == null ? {} : { typeColumn }),
      ...(earlier == null ? {} : { earlier }),
    },
  }
}

/** The same in the form of a mapping file. */
export function mappingFileOf({ mapping, limit, ...rest }: DatasetMapping): MappingChanges {
  const { variants, properties, ...others } = mapping
  const { match, review, lead } = rest.thresholds
  return {
    ...others,
    variants: [...variants],
    properties: properties.map((property) => ({ ...property, columns: [...property.columns] })),
    kind: rest.kind,
    languages: [...rest.languages],
    types: [...rest.types],
    candidates: limit,
    thresholds: { match, review, lead },
  }
}

function wholeProperty(
  property: NonNullable<MappingChanges['properties']>[number],
): PropertyMapping {
  return {
    ...property,
    kind: property.kind ?? usualKind(property.pid, property.columns.length),
    use: property.use ?? 'send',
  }
}

/** The kind of a property where nobody says it. @param columns cells that make one value */
export function usualKind(pid: string, columns: number): PropertyKind {
  if (columns > 1) return 'coordinate'
  if (isIdentifierProperty(pid)) return 'id'
  return propertyKinds.find((kind) => KINDS[kind]?.includes(pid)) ?? 'text'
}

/** Those that were never set follow the kind. */
function thresholdsBefore(
  before: DatasetMapping | null | undefined,
  kind: EntityKind,
): DecisionThresholds {
  if (before === null || before === undefined) return thresholdsByKind[kind]
  const { match, review, lead } = thresholdsByKind[before.kind]
  const { thresholds } = before
  const isUsual =
    thresholds.match === match && thresholds.review === review && thresholds.lead === lead
  return isUsual ? thresholdsByKind[kind] : thresholds
}

function thresholdsOf(changes: MappingChanges, before: DecisionThresholds): DecisionThresholds {
  const { match, review, lead } = changes.thresholds ?? {}
  const thresholds = {
    match: match ?? before.match,
    review: review ?? before.review,
    lead: lead ?? before.lead,
  }
  if (thresholds.review <= thresholds.match) return thresholds
  throw new UsageError({
    code: 'bad_mapping',
    message: `The threshold for review (${thresholds.review}) is above the one for a match (${thresholds.match}).`,
    hint: 'Set both: --threshold match=80 --threshold review=35',
  })
}

function noName(): UsageError {
  return new UsageError({
    code: 'no_name_column',
    message: 'It is not said which column has the name.',
    hint: "Add --name COLUMN, or a template such as --name '{first} {last}'.",
  })
}
