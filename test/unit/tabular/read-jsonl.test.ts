import { expect, it } from 'vitest'
import { readTable } from './read-table.ts'

const jsonl = (lines: readonly string[]) => readTable(lines.join('\n'), { name: 'a.jsonl' })

it('case 4: numbers keep their digits', async () => {
  const { cells } = await jsonl(['{"a":5E1,"b":1.0,"c":-0.5,"d":12345678901234567890,"e":"007"}'])
  expect(cells).toEqual([{ a: '5E1', b: '1.0', c: '-0.5', d: '12345678901234567890', e: '007' }])
})

it('a number in a text stays where it is', async () => {
  const { cells } = await jsonl([String.raw`{"a":"say \"7\" 8","n":9}`])
  expect(cells).toEqual([{ a: 'say "7" 8', n: '9' }])
})

it('null is blank, lists are joined, what is deeper is JSON', async () => {
  const { cells } = await jsonl(['{"a":null,"b":["x",1.0,null],"c":{"d":[1]},"e":true}'])
  expect(cells).toEqual([{ a: '', b: 'x|1.0|', c: '{"d":[1]}', e: 'true' }])
})

it('columns are those of all lines, in order of first appearance', async () => {
  const { table } = await jsonl(['{"b":1}', '', '{"a":1,"b":2}', '{"__proto__":3}'])
  expect(table.columns).toEqual(['b', 'a', '__proto__'])
})

it('what is no object is rejected with its line', async () => {
  const { rejected, records } = await jsonl(['{"a":1}', '[1]', 'null', '{"a":', '', '{"a":2}'])
  expect(records.map((record) => record.line)).toEqual([1, 6])
  expect(rejected.map(({ line, reason }) => [line, reason.slice(0, 20)])).toEqual([
    [2, 'is a list, expected '],
    [3, 'is null, expected an'],
    [4, 'is not JSON: Unexpec'],
  ])
})

it('case 6: an escaped NUL or half a character is rejected', async () => {
  const { rejected } = await jsonl([String.raw`{"a":"x\u0000"}`, String.raw`{"a":"x\ud800"}`])
  expect(rejected.map(({ line }) => line)).toEqual([1, 2])
})
