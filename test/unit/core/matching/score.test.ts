import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../../../src/core/matching/candidate.ts'
import { decide } from '../../../../src/core/matching/decide.ts'
import type { MappedProperty, MappedRecord } from '../../../../src/core/matching/mapped-record.ts'
import { prepareName } from '../../../../src/core/matching/features/record-names.ts'
import { scoreCandidates } from '../../../../src/core/matching/score.ts'
import { type EntityKind, thresholdsByKind } from '../../../../src/core/project-settings.ts'

function candidate(id: string, name: string, rest: Partial<Candidate> = {}): Candidate {
  return {
    id,
    name,
    names: [name],
    description: null,
    types: [],
    serviceScore: null,
    serviceMatch: false,
    features: [],
    ...rest,
  }
}

function record(name: string, properties: readonly MappedProperty[] = []): MappedRecord {
  return { names: [name], types: [], properties }
}

const decided = (kind: EntityKind, of: MappedRecord, ...candidates: readonly Candidate[]) =>
  decide(of, [{ candidates, truncated: false }], { kind, thresholds: thresholdsByKind[kind] })

const viaf = (value: string): MappedProperty => ({
  pid: 'P214',
  kind: 'id',
  use: 'compare',
  values: [value],
})
const born = (value: string): MappedProperty => ({
  pid: 'P569',
  kind: 'date',
  use: 'compare',
  values: [value],
})

describe('scores', () => {
  it('are shares of one chance: together at most 100', () => {
    const { candidates, anyRight } = scoreCandidates(
      record('Star'),
      ['Star', 'Star', 'Star Bank'].map((name, index) => candidate(`Q${index}`, name)),
      'generic',
    )
    const sum = candidates.reduce((total, { score }) => total + score, 0)
    expect(sum).toBeCloseTo(anyRight, 0)
    expect(anyRight).toBeLessThanOrEqual(100)
    expect(candidates[0]?.score).toBe(candidates[1]?.score)
  })

  it('do not sink under many names that only extend the one that agrees', () => {
    const scoreOf = (extended: number): number | undefined =>
      scoreCandidates(
        record('Lidl'),
        [
          candidate('Q1', 'Lidl'),
          ...Array.from({ length: extended }, (_, at) => candidate(`Q2${at}`, `Lidl Nummer${at}x`)),
        ],
        'generic',
      ).candidates.find(({ id }) => id === 'Q1')?.score
    expect(scoreOf(8)).toBeCloseTo(scoreOf(1) ?? 0, 0)
  })

  it('of a lesser name fall when a better one explains it', () => {
    const scoreOf = (...names: readonly string[]): number | undefined =>
      scoreCandidates(
        record('American Samoa'),
        names.map((name) => candidate(name, name)),
        'place',
      ).candidates.find(({ id }) => id === 'Samoa')?.score
    expect(scoreOf('Samoa', 'American Samoa')).toBeLessThan((scoreOf('Samoa') ?? 0) / 4)
  })
})

describe('the work for one candidate is bounded', () => {
  it('by the words of a name', () => {
    const words = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ')
    expect(prepareName(words, 'main').known.meanings).toHaveLength(40)
  })

  it('by its names: those far down its list are not compared', () => {
    const withAlias = (place: number): string | undefined => {
      const names = Array.from({ length: 100 }, (_, at) => (at === place ? 'Aldi' : `Zebra${at}`))
      const aliased = candidate('Q1', 'Zebra0', { names })
      return scoreCandidates(record('Aldi'), [aliased], 'generic').candidates[0]?.features[0]
        ?.verdict
    }
    expect(withAlias(29)).toBe('agree')
    expect(withAlias(30)).toBe('disagree')
  })
})

describe('hard rules', () => {
  it('case 22: the same identifier matches, whatever the name', () => {
    const decision = decided(
      'person',
      record('Teufen', [viaf('https://viaf.org/viaf/77')]),
      candidate('Q1', 'Teufen', { properties: { P214: ['11'] } }),
      candidate('Q2', 'Tüfen AR', { properties: { P214: ['77'] } }),
    )
    expect(decision).toMatchObject({
      outcome: 'matched',
      rule: 'same-identifier',
      best: { id: 'Q2' },
    })
  })

  it('case 22: another identifier is never automatic', () => {
    const decision = decided(
      'person',
      record('Carl Teufen', [viaf('77')]),
      candidate('Q1', 'Carl Teufen', { properties: { P214: ['11'] } }),
    )
    expect(decision).toMatchObject({ outcome: 'review', rule: 'veto' })
  })

  it('case 35: another day of the same year is never automatic', () => {
    const decision = decided(
      'person',
      record('Anna Maria Bakker', [born('1877-07-09')]),
      candidate('Q1', 'Anna Maria Bakker', { properties: { P569: ['1877-01-02'] } }),
    )
    expect(decision).toMatchObject({ outcome: 'review', rule: 'veto' })
  })

  it('what a service says of a property on a scale of its own forbids nothing', () => {
    const ofUnknownScale = candidate('Q1', 'Anna Maria Bakker', {
      features: [
        { id: 'P214', value: 1 },
        { id: 'P569', value: 0.2 },
      ],
    })
    const decision = decided(
      'person',
      record('Anna Maria Bakker', [viaf('77'), born('1877')]),
      ofUnknownScale,
    )
    expect(decision.rule).not.toBe('veto')
    expect(decision.best?.features.map(({ verdict }) => verdict)).toEqual([
      'agree',
      'disagree',
      'disagree',
    ])
  })

  it('the elder is not matched for the younger', () => {
    const decision = decided(
      'person',
      record('Jan Collaert the Elder'),
      candidate('Q1', 'Jan Collaert the Younger'),
    )
    expect(decision.outcome).not.toBe('matched')
  })
})

describe('library headings', () => {
  it('match in natural order, and their dates count', () => {
    const right = candidate('Q1', 'Eugène Boudin', {
      properties: { P569: ['1824'], P570: ['1898'] },
    })
    const other = candidate('Q2', 'Eugène Boudin', { properties: { P569: ['1950'] } })
    const decision = decided('person', record('Boudin, Eugène, 1824-1898, artist'), right, other)
    expect(decision).toMatchObject({ outcome: 'matched', best: { id: 'Q1' } })
    expect(decision.best?.features.map(({ feature }) => feature)).toEqual([
      'name',
      'P569',
      'P570',
      'P106',
    ])
  })
})

describe('raw affiliations', () => {
  it('match the body they name, in the city they name', () => {
    const decision = decided(
      'organisation',
      record('Department of Mathematics, University of Dundee, Dundee, UK'),
      candidate('Q1', 'University of Dundee', {
        properties: { P131: ['Dundee'], P17: [{ id: 'Q145', name: 'United Kingdom' }] },
      }),
      candidate('Q2', 'University of Mathematics', { properties: { P17: ['Mongolia'] } }),
    )
    expect(decision).toMatchObject({ outcome: 'matched', best: { id: 'Q1' } })
  })
})

describe('roles of a library heading', () => {
  const roleOf = (
    properties: Record<string, readonly string[]>,
    description: string | null = null,
  ) => {
    const boudin = { ...candidate('Q1', 'Eugène Boudin'), properties, description }
    const record = { names: ['Boudin, Eugène, 1824-1898, painter'], types: [], properties: [] }
    const { candidates } = scoreCandidates(record, [boudin], 'person')
    return candidates[0]?.features.find(({ feature }) => feature === 'P106')?.verdict
  }

  it('speak for a candidate that has them, and against none', () => {
    expect(roleOf({ P106: ['painter', 'draughtsman'] })).toBe('agree')
    expect(roleOf({}, 'French painter (1824–1898)')).toBe('agree')
    expect(roleOf({ P106: ['politician'] }, 'French politician')).toBe('unknown')
    expect(roleOf({})).toBe('unknown')
  })
})
