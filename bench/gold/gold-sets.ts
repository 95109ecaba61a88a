/** The gold sets of the data folder: which knowledge base, which mapping, which goals (issue "Matches that can be trusted"). */
import type { EntityKind, PropertyMapping, RecordMapping } from '../../src/core/project-settings.ts'

/** Least values, 0 to 1; `falseOnAbsent` is a largest value. */
export interface GoldGoals {
  readonly precision: number
  readonly recall: number
  readonly first: number
  readonly candidates: number
  readonly falseOnAbsent: number
}

export interface GoldSet {
  readonly name: string
  /** File of the knowledge base within the data folder. */
  readonly knowledgeBase: string
  readonly kind: EntityKind
  /** Type asked for; none asks for any. */
  readonly types: readonly string[]
  readonly mapping: RecordMapping
  readonly goals: GoldGoals
  /** How often a record with an equal name counts when weights are fitted: such were sampled down; default 1. */
  readonly equalNameWeight?: number
}

const FALSE_ON_ABSENT = 0.01

function goals(precision: number, recall: number, first: number, candidates: number): GoldGoals {
  return { precision, recall, first, candidates, falseOnAbsent: FALSE_ON_ABSENT }
}

function sent(pid: string, column: string, kind: PropertyMapping['kind']): PropertyMapping {
  return { pid, columns: [column], kind, use: 'send' }
}

const artist: RecordMapping = {
  name: 'name',
  variants: [],
  properties: [
    sent('P569', 'begin', 'date'),
    sent('P570', 'end', 'date'),
    sent('P27', 'nationality', 'item'),
  ],
}

export const goldSets: readonly GoldSet[] = [
  {
    name: 'moma-artists',
    knowledgeBase: 'kb-artists.jsonl',
    kind: 'person',
    types: ['Q5'],
    mapping: { ...artist, properties: [...artist.properties, sent('P21', 'gender', 'item')] },
    goals: goals(0.99, 0.95, 0.97, 0.99),
  },
  {
    name: 'nga-artists',
    knowledgeBase: 'kb-artists.jsonl',
    kind: 'person',
    types: ['Q5'],
    mapping: artist,
    goals: goals(0.99, 0.88, 0.94, 0.97),
  },
  {
    name: 'universities',
    knowledgeBase: 'kb-organizations.jsonl',
    kind: 'organisation',
    types: ['Q2385804'],
    mapping: { name: 'name', variants: [], properties: [sent('P17', 'country', 'item')] },
    goals: goals(0.99, 0.92, 0.95, 0.97),
  },
  {
    name: 'places',
    knowledgeBase: 'kb-places.jsonl',
    kind: 'place',
    types: ['Q486972'],
    mapping: {
      name: 'name',
      variants: [],
      properties: [
        sent('P17', 'country', 'item'),
        sent('P131', 'admin1', 'item'),
        { pid: 'P625', columns: ['lat', 'lon'], kind: 'coordinate', use: 'send' },
      ],
    },
    goals: goals(0.99, 0.88, 0.92, 0.96),
  },
  {
    name: 'countries',
    knowledgeBase: 'kb-countries.jsonl',
    kind: 'place',
    types: ['Q6256'],
    mapping: { name: 'name', variants: [], properties: [] },
    goals: goals(0.99, 0.8, 0.92, 0.97),
  },
  {
    name: 'brands',
    knowledgeBase: 'kb-brands.jsonl',
    kind: 'generic',
    types: [],
    mapping: {
      name: 'name',
      variants: [],
      properties: [
        { ...sent('P17', 'country', 'item'), split: '|' },
        { ...sent('category', 'category', 'text'), use: 'compare' },
      ],
    },
    goals: goals(0.96, 0.4, 0.55, 0.68),
    // One of 14 was kept; in full they would drown the hard ones that the set is for.
    equalNameWeight: 3,
  },
  {
    name: 'affiliations',
    knowledgeBase: 'kb-organizations.jsonl',
    kind: 'organisation',
    types: [],
    mapping: { name: 'name', variants: [], properties: [] },
    goals: goals(0.95, 0.5, 0.65, 0.75),
  },
]
