import { randomInt } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { type FakeService, startFakeService } from './fake-reconciliation-service.ts'
import { type MatchBench, type MatchBenchOptions, startMatchBench } from './match-bench.ts'
import { createTempDatabase } from './temp-database.ts'

export interface MatchServer {
  readonly bench: MatchBench
  readonly service: FakeService
  readonly options: MatchBenchOptions
  /** An address of the service that no other test uses: answers are kept by address. */
  ownAddress(): string
  close(): Promise<void>
}

/** A bench on the dev server of the integration tests, with a database and a fake service of its own. */
export async function startMatchServer(
  changes: Partial<MatchBenchOptions> = {},
): Promise<MatchServer> {
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const clientConnection = await Connection.connect({ address })
  const database = await createTempDatabase()
  const service = await startFakeService()
  const options: MatchBenchOptions = {
    connection,
    client: new Client({ connection: clientConnection }),
    databaseUrl: database.url,
    workflowBundlePath: inject('workflowBundlePath'),
    timeouts: { headersMs: 60_000 },
    wikidataUrl: service.url,
    ...changes,
  }
  const bench = await startMatchBench(options)
  // As projects are: all tests share one Temporal server, and the id of a workflow carries the number of the extraction.
  await sql`alter sequence extract_run_id_seq restart with ${sql.lit(randomInt(1_000_000, 1_000_000_000))}`.execute(
    bench.db,
  )
  let addresses = 0
  return {
    bench,
    service,
    options,
    ownAddress: () => `${service.url}/${++addresses}`,
    async close() {
      await service.close()
      await bench.stop()
      await clientConnection.close()
      await connection.close()
      await database.drop()
    },
  }
}
