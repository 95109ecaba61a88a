import { expect, it } from 'vitest'
import { defaultPolicy } from '../../../../src/core/limiter/policy.ts'
import { mergePolicy, policySources } from '../../../../src/core/limiter/policy-layers.ts'

const shipped = defaultPolicy('example.org')
const file = { source: 'limits.json, example.org', override: { maxRps: 5, minRps: 1 } }
const command = { source: 'limits set', override: { maxRps: 0.5 } }

it('without layers is the shipped policy', () => {
  expect(mergePolicy(shipped, [])).toEqual(shipped)
})

it('a later layer wins, field by field, and what an earlier one said gives way to it', () => {
  expect(mergePolicy(shipped, [file])).toEqual({ ...shipped, maxRps: 5, minRps: 1 })
  expect(mergePolicy(shipped, [file, command])).toEqual({
    ...shipped,
    maxRps: 0.5,
    minRps: 0.5,
    initialRps: 0.5,
  })
})

it('says where each field is from, and which had to give way', () => {
  expect(policySources('example.org', [file, command])).toMatchObject({
    maxRps: 'limits set',
    minRps: 'limits.json, example.org, made to fit',
    initialRps: 'shipped, made to fit',
    maxInFlight: 'shipped',
  })
})
