/**
 * Every outside vector, named case and step is tested under its name, or the reason why not stands here: V1–V19 of
 * research/limiter.md §2.1, R1–R20 and B1–B30 of its §5, and the eleven steps of the testing strategy of rate-limiting.md §14.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** What of a vector does not apply here, and why. Those without an entry apply as a whole. */
const notApplicable: Readonly<Record<string, string>> = {
  V6: 'Capacity in seconds of the rate: the bucket here is a schedule of leases, so only its instants, its one permit at least and its floor have a counterpart.',
  V8: 'The list of delays: repeats here come after 5 s, 30 s and 3 min (DESIGN §3, retry-delay.ts). The old costs: only those of 2026 are built.',
  V9: 'The clamp to five seconds above the own delay: a wait the server asks for is obeyed as it is, up to a day, so 10,000 ms stay 10,000 ms.',
  V10: 'Proportional share and first come first served: max-min is the rule here. Learning mode: a limiter restores its leases instead. The store: what it sums up is an invariant of leases here. Safe capacity: four fifths of it.',
  V11: 'The first call, allowed because nothing is assigned yet: a process that was never told a rate sends nothing here.',
  V12: 'The run of ten in 30 s: that bucket answers "how many are left" and lets ten go at once; leases lie end to end on a schedule, so nothing is saved up to be left. Negative hits are the unused permits of a report.',
  V13: 'A delay derived from latency: latency alone never changes a rate here (research/limiter.md §3.4 E9), and the rule never settles (§1.4).',
  V14: 'AIMD and Vegas limits of requests in flight: here the rate is learned, and what is in flight follows from it (Little). The step after the warm-up: 1/100 here, 2/101 there.',
  V16: 'The second open time, 7.5 s there: it doubles here (research/limiter.md §3.6), so what is published of it, still shut after 6 s, holds as well.',
  V17: 'What a library does after it has read a header is its own. The values are R1–R19, and ky’s whole table beside them.',
  V18: 'Dictionaries, dates, byte sequences and serialising: a RateLimit field is a list, and is only read. Numbers and strings are sampled.',
  V19: 'The Public Suffix List: domains are not grouped. Of the URL standard’s data what differs between parsers is sampled; the parser is the platform’s own.',
}

/** Nothing of them can be tested here. */
const withoutTest = ['V13']

const testFolder = join(import.meta.dirname, '../../..')
const titles = readdirSync(testFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => readFileSync(join(testFolder, file), 'utf8').split('\n'))
  // A title, or a row of a table that begins with one.
  .filter((line) => /\b(it|test|describe)\(['"`]|\]\)\(|^\s*\[?['"`]|as const\)\(/.test(line))

const names = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
const isTested = (name: string) => titles.some((title) => new RegExp(`\\b${name}\\b`).test(title))

it.each(names('V', 19))('%s is tested, or it is said why not', (name) => {
  expect(isTested(name)).toBe(!withoutTest.includes(name))
  expect(isTested(name) || name in notApplicable).toBe(true)
})

const cases = [...names('R', 20), ...names('B', 30)]

it.each(cases)('%s is tested', (name) => {
  expect(isTested(name)).toBe(true)
})

it.each(names('step ', 11))('%s of the testing strategy is tested', (name) => {
  expect(isTested(name)).toBe(true)
})

it('what does not apply is a part of one of them', () => {
  for (const name of Object.keys(notApplicable)) expect(names('V', 19)).toContain(name)
})
