import { expect, it } from 'vitest'
import { createProgram } from '../../../../src/client/cli.ts'
import { policyChangeOf, type WantedChange } from '../../../../src/client/limits/policy-change.ts'
import { policyFields } from '../../../../src/core/limiter/policy-bounds.ts'

const change = (flags: WantedChange['flags'], rest: Partial<WantedChange> = {}) =>
  policyChangeOf({ domain: 'example.org', below: [], stored: null, flags, ...rest })

it('every field of a policy is an option of limits set, under its own name', () => {
  const limits = createProgram().commands.find((command) => command.name() === 'limits')
  const set = limits?.commands.find((command) => command.name() === 'set')
  const names = set?.options.map((option) => option.attributeName()) ?? []
  expect(names.filter((name) => policyFields.some((field) => field === name)).sort()).toEqual(
    [...policyFields].sort(),
  )
})

it('reads numbers, none, default and the name of a strategy', () => {
  expect(
    change({
      maxRps: ' 2.5 ',
      minRps: '1e-1',
      costPerSecond: 'none',
      maxInFlight: 'default',
      strategy: 'aimd',
    }),
  ).toEqual({
    fromScratch: false,
    set: { maxRps: 2.5, minRps: 0.1, costPerSecond: null, strategy: 'aimd' },
    unset: ['maxInFlight'],
  })
})

it('refuses all that is wrong at once, by the names of the options', () => {
  const wrong = () =>
    change({ maxRps: 'fast', minSpacingMs: '-1', strategy: 'best', maxInFlight: '' })
  expect(wrong).toThrow(expect.objectContaining({ code: 'bad_policy' }))
  expect(wrong).toThrow('--max-rps: found "fast", expected a number')
  expect(wrong).toThrow('--min-spacing-ms: found -1, expected')
  expect(wrong).toThrow('--strategy: found "best", expected one of adaptive')
  expect(wrong).toThrow('--max-in-flight: found "", expected a whole number')
})

it('refuses what does not fit beside the file and what was set before', () => {
  const below = [{ source: 'limits.json, example.org', override: { maxRps: 3 } }]
  expect(() => change({ minRps: '4' }, { below })).toThrow(
    '--min-rps: found 4, expected at most 3, to fit maxRps 3',
  )
  const stored = { minRps: 2 }
  expect(() => change({ maxRps: '1' }, { below, stored })).toThrow('--min-rps: found 2')
  expect(change({ maxRps: '1', minRps: 'default' }, { below, stored })).toMatchObject({
    unset: ['minRps'],
  })
  expect(change({ maxRps: '1', resetToDefault: true }, { below, stored })).toMatchObject({
    fromScratch: true,
    set: { maxRps: 1 },
  })
})

it('wants to be told something', () => {
  expect(() => change({})).toThrow(expect.objectContaining({ code: 'nothing_to_set' }))
  expect(change({ resetToDefault: true })).toEqual({ fromScratch: true, set: {}, unset: [] })
})
