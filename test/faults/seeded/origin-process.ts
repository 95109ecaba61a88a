/**
 * The origin as a process of its own, which can be killed and stopped: a service that knows made-up brands.
 *
 *   origin-process.ts PORT LOG_FILE DELAY_MS BATCH_SIZE      port 0: any free one
 */
import { openSync, writeSync } from 'node:fs'
import { brandAnswer } from '../../support/brands.ts'
import { type FakeAnswer, startFakeService } from '../../support/fake-reconciliation-service.ts'
import type { Refusal } from './fault.ts'
import type { OriginEntry, OriginOrder } from './origin-entry.ts'

const [port = 0, delayMs = 0, batchSize = 10] = [2, 4, 5].map((at) => Number(process.argv[at]))
const file = openSync(process.argv[3] ?? '', 'a')
const write = (entry: OriginEntry) => writeSync(file, `${JSON.stringify(entry)}\n`)

let order: OriginOrder | undefined
let left = 0
process.on('message', (told: OriginOrder) => {
  order = told
  left = told.requests
})
process.on('disconnect', () => process.exit(0))

let asked = 0
const service = await startFakeService((request) => {
  asked += 1
  const id = asked
  const refused = left > 0 && order !== undefined
  const questions = Object.values(request.queries ?? {}).map(({ query = '' }) => query)
  write({ kind: 'asked', id, atMs: Date.now(), questions, refused })
  if (refused) {
    left -= 1
    return refusalAnswer(order?.refusal ?? { how: 'reset' })
  }
  void service
    .until(() => request.answered || request.aborted)
    .then(() => request.answered && write({ kind: 'answered', id, atMs: Date.now() }))
  return brandAnswer(request, delayMs, batchSize)
}, port)
process.send?.({ port: Number(new URL(service.url).port) })

function refusalAnswer(refusal: Refusal): FakeAnswer {
  if (refusal.how !== 'status') {
    return { json: { q0: { result: [] } }, drop: refusal.how === 'reset' ? 'at_once' : 'in_body' }
  }
  const { status, retryAfterS } = refusal
  const headers = retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) }
  return { status, headers, json: {} }
}
