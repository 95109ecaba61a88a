/**
 * The forked process of the yardstick: the same work again and again, and how much processor time it took. It says
 * `{ atMs, cpuMs }` each time; others that are at work do not count, a machine that has become slower does.
 */
import { createHash } from 'node:crypto'

const EVERY_MS = 500
const OBJECTS = 3_000
/** Until the compiler has seen all of it. */
const WARM_UP = 40

const rows = Array.from({ length: OBJECTS }, (_, index) => ({
  id: index,
  name: createHash('sha1').update(`${index}`).digest('hex'),
}))

/** What our processes do most: text to objects and back, comparisons, sums over bytes. */
function work() {
  const text = JSON.stringify(JSON.parse(JSON.stringify(rows)))
  const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return createHash('sha256').update(text).update(`${sorted[0]?.id}`).digest('hex')
}

for (let round = 0; round < WARM_UP; round++) work()
process.on('disconnect', () => process.exit())
setInterval(() => {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  process.send?.({ atMs: Date.now(), cpuMs: (user + system) / 1000 })
}, EVERY_MS)
