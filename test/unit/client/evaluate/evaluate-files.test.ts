import { describe, expect, it } from 'vitest'
import { curveSvg } from '../../../../src/client/evaluate/curve-svg.ts'
import { readGold } from '../../../../src/client/evaluate/read-gold.ts'
import { textSource } from '../../../../src/tabular/byte-source.ts'

const read = (text: string) => readGold(textSource('gold.csv', text), 'wikidata')

describe('a file of right answers', () => {
  it('says what is right, what is not there, and leaves out what it does not know', async () => {
    const answers = await read(
      'id,qid,in_kb\n1,q42,1\n2,http://www.wikidata.org/entity/Q7,\n3,NIL,\n4,Q8,0\n5,,\n',
    )
    expect([...answers]).toEqual([
      ['1', 'Q42'],
      ['2', 'Q7'],
      ['3', null],
      ['4', null],
    ])
  })

  it('may say the same twice', async () => {
    expect([...(await read('id,qid\n1,Q1\n1,\n1,wd:q1\n'))]).toEqual([['1', 'Q1']])
  })

  it.each([
    ['id,name\n1,x\n', 'no column "qid"'],
    ['id,qid\n1,\n', 'no row has a qid'],
    ['id,qid\n1,Q1\n2,Q2\n1,Q3\n', 'line 4 has another answer for "1"'],
    ['id,qid\n1,NIL\n1,Q3\n', 'line 3 has another answer for "1"'],
  ])('%j is refused', async (text, reason) => {
    await expect(read(text)).rejects.toThrow(reason)
  })
})

it('the plot is a picture without gaps where nothing was matched', () => {
  const svg = curveSvg(
    [
      { threshold: 50, matched: 2, precision: 0.5, recall: 1, f1: 2 / 3, falseOnAbsent: 0 },
      { threshold: 100, matched: 0, precision: null, recall: 0, f1: 0, falseOnAbsent: 0 },
    ],
    'A & B <1>',
  )
  expect(svg).toContain('<title>A &amp; B &lt;1></title>')
  expect(svg.match(/<polyline/g)).toHaveLength(4)
  expect(svg).not.toMatch(/NaN|undefined/)
})
