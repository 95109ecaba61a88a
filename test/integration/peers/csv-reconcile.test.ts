/** Our client and a whole run against a real csv-reconcile 0.3.2, a server that speaks API 0.1. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHttpClient } from '../../../src/http/http-client.ts'
import {
  createReconciliationClient,
  type ReconciliationClient,
} from '../../../src/http/reconciliation/reconciliation-client.ts'
import type { LookupToAsk } from '../../../src/http/reconciliation/lookup-result.ts'
import { createInProcessPermits } from '../../../src/limiter/in-process-permits.ts'
import { createTestProject } from '../../support/match-project-rows.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'
import { obtainingLimitMs, type PythonPeers, startPythonPeers } from '../../support/python-peers.ts'

const csv = `id,name,country
A1,Amsterdam,NL
A2,Utrecht,NL
A3,Rotterdam,NL
A4,Wien,AT
A5,"Sankt Pölten, Stadt",AT
A6,København,DK
A7,Springfield,US
A8,Springfield,US
`

let peers: PythonPeers
let server: MatchServer
let url: string

beforeAll(async () => {
  peers = await startPythonPeers()
  url = await peers.serveCsv(csv, 'id', 'name')
  server = await startMatchServer()
}, obtainingLimitMs)
afterAll(async () => {
  await server?.close()
  await peers?.close()
})

const names = [
  'Amsterdam',
  'Wien',
  'Utrect',
  'Springfield',
  'Sankt Pölten, Stadt',
  'KØBENHAVN',
  'Nowhere',
  '!!!',
  'a"b\\c&d+e%f',
  '東京',
  'haswbstatement:P31=Q5',
]
const lookups = names.map((query, id): LookupToAsk => {
  const properties = [{ pid: 'P17', v: 'NL' }]
  return { id, query: { query, types: ['Q515'], limit: 5, properties } }
})

async function withClient<T>(
  address: string,
  use: (client: ReconciliationClient, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const permits = createInProcessPermits()
  const http = createHttpClient({ permits, contact: undefined, version: '1' })
  try {
    const client = createReconciliationClient({ http, url: address, project: 'peers' })
    return await use(client, new AbortController().signal)
  } finally {
    await http.close()
    await permits.close()
  }
}

it('the client reads its manifest and gets an answer to each question, in batches of ten', async () => {
  const batches: number[] = []
  const { manifest, results } = await withClient(url, async (client, signal) => ({
    manifest: await client.manifest(signal),
    ...(await client.ask(lookups, {
      signal,
      onAttempt: ({ lookupIds }) => void batches.push(lookupIds.length),
    })),
  }))
  expect(manifest).toMatchObject({ name: 'CSV Reconcile', versions: ['0.1'], batchSize: null })
  expect(batches).toEqual([10, 1])
  const idsOf = Object.fromEntries(
    results.map((result) => {
      const found = result.status === 'answered' ? result.list.candidates : null
      return [names[result.id], found?.map(({ id }) => id) ?? result.status]
    }),
  )
  expect(idsOf).toMatchObject({
    Wien: ['A4'],
    Utrect: ['A2'],
    Springfield: ['A7', 'A8'],
    'Sankt Pölten, Stadt': ['A5'],
    KØBENHAVN: ['A6'],
    Nowhere: [],
    '!!!': [],
    東京: [],
  })
  expect(results.every(({ status }) => status === 'answered')).toBe(true)
})

it('its endpoint under another host name is an error of the address, not "no match"', async () => {
  const elsewhere = url.replace('127.0.0.1', 'localhost')
  await expect(
    withClient(elsewhere, (client, signal) => client.ask(lookups, { signal })),
  ).rejects.toMatchObject({ kind: 'endpoint', code: 'not_found' })
})

it('a run decides each record, and does not trust that it calls its only candidate a match', async () => {
  const records = [...names.slice(0, 7), 'haswbstatement:P31=Q5', ''].map((name, position) => ({
    id: `r${position}`,
    name,
  }))
  const { bench } = server
  const project = await createTestProject(bench.db, url, records, {
    mapping: { name: 'name', variants: [], properties: [] },
  })
  await (await bench.start(project.id)).result()
  const rows = await bench.db
    .selectFrom('result')
    .select(['external_id', 'match_status', 'match_qid'])
    .where('project_id', '=', project.id)
    .orderBy('position')
    .execute()
  const decided = rows.map(
    ({ external_id: id, match_status: status, match_qid: qid }) => `${id} ${status} ${qid ?? ''}`,
  )
  expect(decided.map((line) => line.trim())).toEqual([
    'r0 matched A1',
    'r1 matched A4',
    'r2 review',
    'r3 review',
    'r4 matched A5',
    'r5 matched A6',
    'r6 no_candidate',
    // It says `match: true` for a candidate of 32 of 100 points.
    'r7 no_candidate',
    'r8 skipped',
  ])
  const { raw } = await bench.db
    .selectFrom('lookup')
    .select('raw')
    .where(sql`query ->> 'query'`, '=', 'haswbstatement:P31=Q5')
    .executeTakeFirstOrThrow()
  expect(raw).toMatchObject({ result: [{ id: 'A5', match: true }] })
})
