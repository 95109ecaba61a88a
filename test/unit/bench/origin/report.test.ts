import { expect, test } from 'vitest'
import { reportLines, reportTable } from '../../../../bench/origin/report.ts'

const played = [
  {
    name: 'kill',
    title: 'kill -9',
    measures: [
      { name: 'silence', value: 2.14, unit: 's', goal: { atMost: 3 } },
      { name: 'back', value: Infinity, unit: 's', goal: { atMost: 10 } },
      { name: 'sent', value: 7, unit: '' },
    ],
  },
]

test('programs read each measure with its goal, and null for what never came', () => {
  expect(reportLines(played)).toEqual([
    { name: 'kill: silence', value: 2.14, goal: '≤ 3', unit: 's', ok: true },
    { name: 'kill: back', value: null, goal: '≤ 10', unit: 's', ok: false },
    { name: 'kill: sent', value: 7, goal: null, unit: '', ok: null },
  ])
})

test('people see which goal is missed, and how many', () => {
  expect(reportTable(played, true).split('\n')).toEqual([
    '| what happens | measure | measured | goal |',
    '| --- | --- | --- | --- |',
    '| kill -9 | silence, s | 2.1 | ≤ 3 |',
    '|  | back, s | never ✗ | ≤ 10 |',
    '|  | sent | 7 |  |',
    '',
    '1 goals are missed (✗).',
  ])
})
