/** What a project says about its records: which cells are names, which are evidence, whom to ask. */

/** Decides which weights and hard rules apply. */
export type EntityKind = 'person' | 'organisation' | 'place' | 'work' | 'generic'
export const entityKinds: readonly EntityKind[] = [
  'person',
  'organisation',
  'place',
  'work',
  'generic',
]

export type PropertyKind = 'date' | 'id' | 'url' | 'number' | 'coordinate' | 'item' | 'text'
export const propertyKinds: readonly PropertyKind[] = [
  'date',
  'id',
  'url',
  'number',
  'coordinate',
  'item',
  'text',
]

/** `send` leaves the machine with the question; `compare` is used by our own score only; `keep` is not used. */
export type PropertyUse = 'send' | 'compare' | 'keep'
export const propertyUses: readonly PropertyUse[] = ['send', 'compare', 'keep']

/** A further name of the record: tried after the main name, only while the record is undecided. */
export interface VariantMapping {
  readonly column: string
  /** Splits a cell into several names; absent: the cell is one name. */
  readonly separator?: string | undefined
}

export interface PropertyMapping {
  /** Wikidata property id, `P17`; or the name of a local feature such as `category`. */
  readonly pid: string
  /** One column, or two that belong together (latitude and longitude). */
  readonly columns: readonly string[]
  readonly kind: PropertyKind
  readonly use: PropertyUse
  /** Only for dates: `dmy`, `mdy` or `ymd` where a cell could be read in two ways. */
  readonly dateFormat?: 'dmy' | 'mdy' | 'ymd' | undefined
  readonly split?: string | undefined
}

/** Column with the items of earlier matches: taken as judged, or asked for again and decided. */
export interface EarlierMatches {
  readonly column: string
  readonly use: 'judge' | 'verify'
}

export interface RecordMapping {
  /** A column name, or a template such as `{first} {last}`. */
  readonly name: string
  readonly variants: readonly VariantMapping[]
  readonly properties: readonly PropertyMapping[]
  /** Column with the type id of each row; overrides `types`. */
  readonly typeColumn?: string | undefined
  readonly earlier?: EarlierMatches | undefined
}

/** Scores are 0 to 100 and ours, never the service's. */
export interface DecisionThresholds {
  /** At or above: may be matched automatically. The default depends on the kind of entity. */
  readonly match: number
  /** Below: not worth a person's time, counted as no candidate. Default 35. */
  readonly review: number
  /** Least lead over the second candidate for an automatic match. Default 10. */
  readonly lead: number
}

const REVIEW = 35
const LEAD = 10

/**
 * Where 99 of 100 automatic matches were right on labelled records of each kind (docs/matching.md); brands are the
 * hardest, for they bear each other's names.
 */
export const thresholdsByKind: Readonly<Record<EntityKind, DecisionThresholds>> = {
  person: { match: 80, review: REVIEW, lead: LEAD },
  organisation: { match: 78, review: REVIEW, lead: LEAD },
  place: { match: 85, review: REVIEW, lead: LEAD },
  work: { match: 80, review: REVIEW, lead: LEAD },
  generic: { match: 91, review: REVIEW, lead: LEAD },
}

/** Weights of features in bits (see `core/matching/weights`), estimated from a project's own labelled records. */
export interface OwnWeights {
  /** Written with every decision made with them. */
  readonly version: string
  readonly prior: number
  readonly bits: Readonly<Record<string, number>>
}

/** One revision of a project's settings. A change makes the unjudged subjects decided under an older one due again. */
export interface ProjectSettings {
  /** A service name (`sample`, `wikidata`) or the URL of a reconciliation endpoint. */
  readonly service: string
  readonly kind: EntityKind
  /** Languages of the names, most important first. */
  readonly languages: readonly string[]
  /** Type ids asked for; empty asks for any type. */
  readonly types: readonly string[]
  readonly mapping: RecordMapping
  /** Candidates asked for per name, 1 to 50. Default 10. */
  readonly limit: number
  readonly thresholds: DecisionThresholds
  /** Absent: the shipped weights of the kind. */
  readonly weights?: OwnWeights | undefined
}
