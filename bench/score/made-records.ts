/**
 * Records and what a service would find for them, made up from syllables: as many of a kind as one likes, the same on
 * every machine. Of the ten candidates one is right; the others share words with it, as search results do.
 */
import type { Candidate, CandidateList } from '../../src/core/matching/candidate.ts'
import type { Cells } from '../../src/core/matching/mapped-record.ts'
import {
  type EntityKind,
  type ProjectSettings,
  type PropertyMapping,
  thresholdsByKind,
} from '../../src/core/project-settings.ts'

export type MadeKind = Exclude<EntityKind, 'work'>
export const madeKinds: readonly MadeKind[] = ['person', 'organisation', 'place', 'generic']

const CANDIDATES = 10
const SYLLABLES = 'ba ler mon ti sau ko ven dri hol an ge ros ulm né pik føs'.split(' ')
const BITS_PER_SYLLABLE = 4
/** Odd, so that no two of 65,536 numbers give one word; neighbours get unlike ones. */
const SPREAD = 40_503
const COUNTRIES = ['France', 'Austria', 'Japan', 'Ghana', 'Brazil', 'Canada', 'Poland', 'India']
const FIELDS = ['Technology', 'Medicine', 'Arts', 'Economics', 'Agriculture', 'Law']
const SHOPS = ['Bank', 'Foods', 'Motors', 'Fashion', 'Coffee', 'Pharmacy']

/** One of 65,536 words, of four syllables. */
export function word(number: number): string {
  const bits = Math.imul(number, SPREAD) >>> 0
  const parts = [0, 1, 2, 3].map(
    (at) => SYLLABLES[(bits >>> (at * BITS_PER_SYLLABLE)) % SYLLABLES.length] ?? '',
  )
  return parts.join('').replace(/^./, (letter) => letter.toUpperCase())
}

function of(list: readonly string[], number: number): string {
  return list[number % list.length] ?? ''
}

interface MadeItem {
  readonly name: string
  readonly aliases: readonly string[]
  readonly properties: Readonly<Record<string, readonly string[]>>
}

/** @param subject Which one. @param turn 0 is the right item, others share some of its words. */
const makers: Readonly<Record<MadeKind, (subject: number, turn: number) => MadeItem>> = {
  person(subject, turn) {
    const [given, family] = [word(subject + 7 * turn), word(1728 + subject * 5 + (turn % 3))]
    const born = 1800 + ((subject + 11 * turn) % 180)
    return {
      name: `${given} ${family}`,
      aliases: turn % 2 === 0 ? [`${family}, ${given}`, `${given.charAt(0)}. ${family}`] : [],
      properties: {
        P569: [`${born}`],
        P570: [`${born + 60 + (turn % 20)}`],
        P27: [of(COUNTRIES, subject + turn)],
      },
    }
  },
  organisation(subject, turn) {
    const [place, field] = [word(subject * 3 + 5 * (turn % 4)), of(FIELDS, subject + turn)]
    return {
      name: turn % 2 === 0 ? `${place} University of ${field}` : `${place} ${field} Institute`,
      aliases: [
        `Universität für ${field} ${place}`,
        `Université de ${field} de ${place}`,
        `U${field.charAt(0)}${place.charAt(0)}`,
      ],
      properties: { P17: [of(COUNTRIES, subject + (turn % 3))], P131: [place] },
    }
  },
  place(subject, turn) {
    const name = `${word(subject * 7 + (turn % 3))}${turn % 4 === 3 ? ' Nova' : ''}`
    return {
      name,
      aliases: [`Sankt ${name}`, `${name}-sur-${word(turn)}`, `Villa de ${name}`],
      properties: {
        P17: [of(COUNTRIES, subject + turn)],
        P131: [word(subject + turn)],
        P625: [`${((subject + 3 * turn) % 160) - 80},${((subject + turn) % 340) - 170}`],
      },
    }
  },
  generic(subject, turn) {
    const [first, shop] = [word(subject * 11 + (turn % 4)), of(SHOPS, subject + turn)]
    return {
      name: `${first} ${shop}`,
      aliases: [first, `${first}${shop}`],
      properties: { P17: [of(COUNTRIES, subject + turn)], P856: [`https://www.${first}.example/`] },
    }
  },
}

function column(pid: string, kind: PropertyMapping['kind']): PropertyMapping {
  return { pid, columns: [pid], kind, use: 'compare' }
}

const columns: Readonly<Record<MadeKind, readonly PropertyMapping[]>> = {
  person: [column('P569', 'date'), column('P570', 'date'), column('P27', 'item')],
  organisation: [column('P17', 'item')],
  place: [
    column('P17', 'item'),
    column('P131', 'item'),
    { ...column('P625', 'coordinate'), columns: ['lat', 'lon'] },
  ],
  generic: [column('P17', 'item')],
}

export function madeSettings(kind: MadeKind): ProjectSettings {
  return {
    service: 'made',
    kind,
    languages: ['en'],
    types: [],
    limit: CANDIDATES,
    thresholds: thresholdsByKind[kind],
    mapping: { name: 'name', variants: [], properties: columns[kind] },
  }
}

/** A record about a subject: mostly as the right item is written, every fourth by an alias or with a slip. */
export function madeCells(kind: MadeKind, subject: number): Cells {
  const { name, aliases, properties } = makers[kind](subject, 0)
  const slip = `${name.slice(0, 4)}${name.slice(5)}`
  const written = subject % 4 > 0 ? name : subject % 8 === 0 ? slip : (aliases[0] ?? name)
  const cells = Object.entries(properties).map(([pid, [value = '']]) => [pid, value])
  const [lat = '', lon = ''] = (properties['P625']?.[0] ?? '').split(',')
  return { ...Object.fromEntries(cells), lat, lon, name: written }
}

/** What is found for a subject, as our client reads it. */
export function madeCandidates(kind: MadeKind, subject: number): CandidateList {
  const candidates = Array.from({ length: CANDIDATES }, (_, turn): Candidate => {
    const { name, aliases, properties } = makers[kind](subject, turn)
    return {
      id: `Q${subject * CANDIDATES + turn + 1}`,
      name,
      names: [name, ...aliases],
      description: `${kind} no. ${turn} in ${of(COUNTRIES, subject + turn)}`,
      types: [{ id: `T-${kind}`, name: kind }],
      serviceScore: 100 - 5 * turn,
      serviceMatch: false,
      features: [],
      properties,
    }
  })
  return { candidates, truncated: true }
}
