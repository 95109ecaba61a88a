import { describe, expect, it } from 'vitest'
import {
  newItemLines,
  recordStatements,
} from '../../../../src/client/quickstatements/record-statements.ts'
import {
  sourcePlan,
  statementPlan,
} from '../../../../src/client/quickstatements/statement-flags.ts'
import { applyMapping } from '../../../../src/client/mapping/apply-mapping.ts'

const columns = ['id', 'name', 'viaf', 'born', 'lat', 'lon', 'url', 'dc:title', 'jobs']
const settings = {
  ...applyMapping(
    {
      name: 'name',
      languages: ['NL', 'en'],
      properties: [
        { pid: 'P569', columns: ['born'], kind: 'date', dateFormat: 'mdy' },
        { pid: 'P106', columns: ['jobs'], split: ';' },
      ],
    },
    null,
  ),
  service: 'wikidata',
}
const statement = (flag: string) => statementPlan(flag, columns, settings.mapping)
const source = (flag: string) => sourcePlan(flag, columns, settings.mapping)

describe('a flag', () => {
  it('takes kind, date order and separator from the mapping, else what is known', () => {
    expect(statement('P569=born')).toMatchObject({ kind: 'date', dateOrder: 'mdy' })
    expect(statement('P106=jobs')).toMatchObject({ kind: 'item', split: ';' })
    expect(statement('P214=viaf')).toMatchObject({ kind: 'id' })
    expect(statement('p625=lat, lon')).toMatchObject({
      kind: 'coordinate',
      columns: ['lat', 'lon'],
    })
    expect(statement('P1=name')).toMatchObject({ kind: 'text' })
  })

  it('can say the kind, a unit and a language, and a column may have a colon', () => {
    expect(statement('P1=name:number:Q11573')).toMatchObject({ kind: 'number', detail: 'Q11573' })
    expect(statement('P1476=dc:title')).toMatchObject({ kind: 'text', columns: ['dc:title'] })
    expect(statement('P1476=dc:title:text:en')).toMatchObject({ detail: 'en' })
  })

  it.each(['P214', 'viaf=P214', 'P214=vaif', 'P1=name:number:metre', 'P1=name:date:en', '=x'])(
    '--statement %s is refused with what is expected',
    (flag) => expect(() => statement(flag)).toThrow(/not understood/),
  )

  it('of a source is a column, or a value of the kind its property has', () => {
    expect(source('P854=url')).toMatchObject({ from: 'column', kind: 'url' })
    expect(source('P248=Q36578')).toEqual({ from: 'literal', pid: 'P248', value: 'Q36578' })
    expect(source('P813=2026-11-28')).toMatchObject({ value: '+2026-11-28T00:00:00Z/11' })
    expect(source('P854=https://example.org/a=b')).toMatchObject({
      value: '"https://example.org/a=b"',
    })
    expect(() => source('P854=urll')).toThrow(/names no column, and as a value of P854/)
  })
})

describe('a record', () => {
  const plans = {
    statements: ['P214=viaf', 'P569=born', 'P625=lat,lon', 'P106=jobs'].map(statement),
    sources: [source('P248=Q36578'), source('P854=url')],
  }
  const of = (cells: Readonly<Record<string, string>>) =>
    recordStatements('7', cells, settings, plans)

  it('states each value with all sources, in the order of the flags', () => {
    const cells = { viaf: '113230702', born: '7/9/1877', lat: '1.5', lon: '2', jobs: 'Q1;Q2; Q1' }
    const ref = 'S248\tQ36578\tS854\t"https://x.org/7"'
    expect(of({ ...cells, url: 'https://x.org/7' })).toEqual({
      tails: [
        `P214\t"113230702"\t${ref}`,
        `P569\t+1877-07-09T00:00:00Z/11\t${ref}`,
        `P625\t@1.5/2\t${ref}`,
        `P106\tQ1\t${ref}`,
        `P106\tQ2\t${ref}`,
      ],
      faults: [],
      blankSources: [],
    })
  })

  it('states what it can, and tells what it cannot without the text of the cell', () => {
    const read = of({ viaf: '113230702', born: 'SECRET', lat: '1.5', lon: ' ', jobs: 'Q1;painter' })
    expect(read.tails).toEqual(['P214\t"113230702"\tS248\tQ36578', 'P106\tQ1\tS248\tQ36578'])
    expect(read.faults).toMatchObject([
      { record: '7', property: 'P569', column: 'born' },
      { property: 'P625', column: 'lat,lon', reason: 'lon is blank' },
      { property: 'P106', reason: expect.stringContaining('no item id') },
    ])
    expect(JSON.stringify(read)).not.toMatch(/SECRET|painter/)
    expect(read.blankSources).toEqual(['P854'])
  })

  it('states nothing on a source that cannot be written', () => {
    const read = of({ viaf: '113230702', url: 'x.org' })
    expect(read).toMatchObject({ tails: [], faults: [{ property: 'P854', column: 'url' }] })
  })

  it('without values has nothing to tell', () => {
    expect(of({ url: 'https://x.org' })).toEqual({ tails: [], faults: [], blankSources: [] })
  })

  it('becomes a new item by its name, in the language of the project', () => {
    expect(newItemLines('7', { name: ' De\tNieuwe ' }, settings)).toEqual({
      lines: ['CREATE', 'LAST\tLnl\t"De Nieuwe"'],
    })
    expect(newItemLines('7', { name: ' ' }, settings)).toMatchObject({
      fault: { record: '7', property: 'label' },
    })
    expect(newItemLines('7', { name: 'x'.repeat(251) }, settings)).toMatchObject({
      fault: { reason: 'it is longer than 250 characters' },
    })
  })
})
