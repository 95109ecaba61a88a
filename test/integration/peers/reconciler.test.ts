/** `serve-kb` asked by a client that nobody here wrote: `reconciler` 0.2.2. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { type KbService, startKbService } from '../../../src/kb/kb-service.ts'
import { obtainingLimitMs, type PythonPeers, startPythonPeers } from '../../support/python-peers.ts'

const items = [
  { qid: 'Q727', label: 'Amsterdam', types: ['Q515'], properties: { P17: [{ id: 'Q55' }] } },
  { qid: 'Q803', label: 'Utrecht', types: ['Q515'], properties: { P17: [{ id: 'Q55' }] } },
  { qid: 'Q776', label: 'Utrecht', aliases: ['Provincie Utrecht'], types: ['Q134390'] },
  { qid: 'Q34217', label: 'Oxford', types: ['Q515'], properties: { P17: [{ id: 'Q145' }] } },
  { qid: 'Q1', label: 'Oxford', types: ['Q515'], properties: { P17: [{ id: 'Q30' }] } },
  { qid: 'Q2', label: 'Without a type', aliases: ['Typeless', 'Untyped'] },
]

const program = `
import json, sys
import pandas
from reconciler import reconcile
request = json.loads(sys.argv[1])
columns = {pid: pandas.Series(values) for pid, values in (request.get("properties") or {}).items()}
found = reconcile(
    pandas.Series(request["names"]),
    type_id=request.get("type"),
    top_res=request.get("top", 1),
    property_mapping=columns or None,
    reconciliation_endpoint=request["endpoint"],
)
print(found.to_json(orient="records"))
`

const answerSchema = z.array(
  z.object({
    input_value: z.string(),
    id: z.string().nullable(),
    match: z.boolean(),
    type_id: z.string().nullish(),
  }),
)

let peers: PythonPeers
let service: KbService
let folder: string

beforeAll(async () => {
  peers = await startPythonPeers()
  folder = await mkdtemp(join(tmpdir(), 'record-linker-kb-'))
  const file = join(folder, 'items.jsonl')
  await writeFile(file, items.map((item) => JSON.stringify(item)).join('\n'))
  service = await startKbService({ file, warn: () => undefined })
}, obtainingLimitMs)
afterAll(async () => {
  await service?.close()
  await peers?.close()
  await rm(folder, { recursive: true, force: true })
})

async function reconcile(request: {
  readonly names: readonly string[]
  readonly type?: string
  readonly top?: number | 'all'
  readonly properties?: Readonly<Record<string, readonly string[]>>
}) {
  const argument = JSON.stringify({ ...request, endpoint: service.url })
  const found = answerSchema.parse(JSON.parse(await peers.runPython(program, argument)))
  return found.map(
    ({ input_value: name, id, match }) => `${name}: ${id ?? 'none'}${match ? ' !' : ''}`,
  )
}

it('finds the best candidate of each name, over several batches, and none where there is none', async () => {
  const nobody = Array.from({ length: 20 }, (_, n) => `xyzzy ${n}`)
  const found = await reconcile({ names: ['Amsterdam', ...nobody, 'Provincie Utrecht'] })
  expect(found).toEqual([
    'Amsterdam: Q727 !',
    ...nobody.map((name) => `${name}: none`),
    'Provincie Utrecht: Q776 !',
  ])
})

it('copes with our extra fields, and with items that have no type', async () => {
  expect(await reconcile({ names: ['Utrecht', 'Typeless'], top: 'all' })).toEqual([
    'Utrecht: Q776',
    'Utrecht: Q803',
    'Typeless: Q2 !',
  ])
})

it('gets only the type it asks for', async () => {
  expect(await reconcile({ names: ['Utrecht'], type: 'Q515', top: 'all' })).toEqual([
    'Utrecht: Q803 !',
  ])
})

it('tells namesakes apart by a property', async () => {
  const properties = { P17: ['Q145', 'Q30'] }
  expect(await reconcile({ names: ['Oxford', 'oxford'], properties })).toEqual([
    'Oxford: Q34217 !',
    'oxford: Q1 !',
  ])
})
