import { expect, it } from 'vitest'
import { collectExamples } from '../../../../../src/client/match/dry-run/sent-columns.ts'
import { thresholdsByKind } from '../../../../../src/core/project-settings.ts'

it('examples are the values that are sent: an identifier goes without its usual dress', () => {
  const examples = collectExamples({
    service: 'sample',
    kind: 'person',
    languages: ['en'],
    types: [],
    limit: 10,
    thresholds: thresholdsByKind.person,
    mapping: {
      name: 'name',
      variants: [],
      properties: [
        { pid: 'P214', kind: 'id', use: 'send', columns: ['viaf'] },
        { pid: 'P569', kind: 'date', use: 'send', columns: ['born'] },
      ],
    },
  })
  examples.add({
    name: 'Boudin, Eugène, 1824-1898, artist',
    viaf: 'https://viaf.org/viaf/46774385/',
    born: '12.7.1824',
  })
  expect(examples.columns().map((column) => column.examples)).toEqual([
    ['Eugène Boudin', 'Boudin, Eugène, 1824-1898, artist'],
    ['46774385'],
    ['12.7.1824'],
  ])
})
