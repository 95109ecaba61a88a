/** A server with a worker for a file of tests, and a source for each test of it; both end by themselves. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type FakeSource, startFakeSource } from '../../support/fake-source.ts'
import { type MatchServer, startMatchServer } from '../../support/match-server.ts'

export interface SourceSite {
  readonly server: MatchServer
  /** Of the test that runs. */
  readonly source: FakeSource
}

/** To be called outside of any test. */
export function openSourceSite(
  sourceOptions: Parameters<typeof startFakeSource>[0] = {},
  serverOptions: Omit<NonNullable<Parameters<typeof startMatchServer>[0]>, 'random'> = {},
): SourceSite {
  let server: MatchServer
  let source: FakeSource
  beforeAll(async () => {
    server = await startMatchServer({ random: () => 0, ...serverOptions })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    source = await startFakeSource(sourceOptions)
    return () => source.close()
  })
  return {
    get server() {
      return server
    },
    get source() {
      return source
    },
  }
}
