/**
 * The parts of `npm run bench:origin` in which something dies, made short. What is expected here does not
 * depend on how fast this machine is; the goals in seconds are for the bench.
 */
import { expect, it } from 'vitest'
import { playParts } from '../../bench/origin/main.ts'
import { parts } from '../../bench/origin/parts/catalogue.ts'
import { report } from './report.ts'

/** @returns Its measures by name. */
async function playShort(name: string): Promise<Readonly<Record<string, number>>> {
  const chosen = parts.filter((part) => part.name === name)
  const [played] = await playParts({ parts: chosen, workers: 3, isShort: true })
  const measures = played?.measures ?? []
  for (const { name: measure, value, unit } of measures) report(`${measure}: ${value} ${unit}`)
  return Object.fromEntries(measures.map(({ name: measure, value }) => [measure, value]))
}

/** Whatever dies. */
const lawful = { 'sent outside a lease or safe mode': 0, 'answered and asked again': 0 }

it('the death of the process with lease and limiter stops nobody, and nothing is sent without a lease', async () => {
  const measured = await playShort('kill')
  expect(measured).toMatchObject(lawful)
  expect(measured['longest silence']).toBeLessThan(15)
})

it('while Temporal is dead all answers are stored, and nothing is sent beyond leases and safe mode', async () => {
  const measured = await playShort('temporal-away')
  expect(measured).toMatchObject({ ...lawful, 'answers not stored while away': 0 })
  expect(measured['full speed after its return']).toBeLessThan(Infinity)
})

it('a domain that answers only 503 takes neither slots nor speed from another', async () => {
  const measured = await playShort('two-domains')
  expect(measured).toMatchObject(lawful)
  expect(measured['activities that waited for the bad one, least']).toBeGreaterThanOrEqual(100)
  expect(measured['of these in a slot, most']).toBeLessThanOrEqual(10)
  expect(measured['speed beside the bad one, of that alone']).toBeGreaterThan(50)
})
