/** A fetcher with a folder of its own and permits that are never refused, over file origins on this machine. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ArtifactPlan } from '../../src/core/download/artifact-plan.ts'
import type { TransferLimits } from '../../src/core/download/transfer-limits.ts'
import type { CallOutcome } from '../../src/core/limiter/permit.ts'
import type {
  FetchArtifactCall,
  FetchArtifactOptions,
  FetchedArtifact,
  FetchedBody,
} from '../../src/http/download/artifact-fetcher.ts'
import { DownloadError } from '../../src/http/download/download-error.ts'
import type { DownloadExchange } from '../../src/http/download/download-exchange.ts'
import { createArtifactFetcher } from '../../src/http/download/fetch-artifact.ts'
import { createDownloadAgents } from '../../src/http/download/guarded-agents.ts'
import type { DownloadAgentsOptions } from '../../src/http/download/guarded-agents.ts'

export interface FetchSite {
  readonly dir: string
  readonly exchanges: DownloadExchange[]
  /** Permits: by domain, how each ended. */
  readonly permits: { readonly domain: string; ended: CallOutcome['kind'] | 'given back' | null }[]
  /** Slots taken and not released. */
  slotsHeld(): number
  fetch(plan: Partial<ArtifactPlan>, call?: Partial<FetchArtifactCall>): Promise<FetchedArtifact>
  /** As `fetch`, for what has to bring a file: its facts and its bytes. */
  get(
    plan: Partial<ArtifactPlan>,
    call?: Partial<FetchArtifactCall>,
  ): Promise<FetchedBody & { readonly content: Buffer }>
  /** As `fetch`, for what has to fail. */
  failure(plan: Partial<ArtifactPlan>, call?: Partial<FetchArtifactCall>): Promise<DownloadError>
  files(): Promise<readonly string[]>
  /** @throws Error when a permit was not ended, or a slot not released. */
  close(): Promise<void>
}

const quick: Partial<TransferLimits> = { resumeDelayMs: 1, diskReserveBytes: 0 }

export async function openFetchSite(
  limits: Partial<TransferLimits> = {},
  options: Partial<FetchArtifactOptions> & { readonly guard?: DownloadAgentsOptions } = {},
): Promise<FetchSite> {
  const dir = await mkdtemp(join(tmpdir(), 'record-linker-fetch-'))
  const agents = createDownloadAgents({ allowed: ['127.0.0.1/32'], ...options.guard })
  const exchanges: DownloadExchange[] = []
  const permits: FetchSite['permits'] = []
  let held = 0
  let attempts = 0
  const fetcher = createArtifactFetcher({
    permits: {
      async acquire({ domain }) {
        const entry: FetchSite['permits'][number] = { domain, ended: null }
        permits.push(entry)
        const end = (kind: NonNullable<(typeof entry)['ended']>): void => {
          if (entry.ended !== null) throw new Error(`a permit of ${domain} was ended twice`)
          entry.ended = kind
        }
        return {
          domain,
          report: ({ kind }) => end(kind),
          giveBack: () => end('given back'),
        }
      },
    },
    contact: 'tests@example.org',
    version: '0',
    agents,
    tempDir: dir,
    ...options,
    limits: { ...quick, ...limits },
  })
  const fetch: FetchSite['fetch'] = (plan, call = {}) =>
    fetcher.fetch(
      { resolver: 'direct', url: '', ...plan },
      {
        signal: new AbortController().signal,
        project: 'download/test',
        attempt: 1,
        token: `attempt-${(attempts += 1)}`,
        takeSlots: async () => {
          held += 1
          return () => {
            held -= 1
          }
        },
        onProgress: () => {},
        onExchange: (exchange) => exchanges.push(exchange),
        ...call,
      },
    )
  return {
    dir,
    exchanges,
    permits,
    slotsHeld: () => held,
    fetch,
    async get(plan, call) {
      const fetched = await fetch(plan, call)
      if (fetched.kind !== 'body') throw new Error(`expected a file, not ${fetched.kind}`)
      return { ...fetched, content: await readFile(fetched.tempPath) }
    },
    async failure(plan, call) {
      const outcome = await fetch(plan, call).catch((error: unknown) => error)
      if (outcome instanceof DownloadError) return outcome
      throw outcome instanceof Error ? outcome : new Error('expected a failure, not a file')
    },
    files: () => readdir(dir),
    async close() {
      await fetcher.close()
      await agents.close()
      await rm(dir, { recursive: true, force: true })
      const open = permits.filter(({ ended }) => ended === null)
      if (open.length > 0 || held > 0) {
        throw new Error(`${open.length} permits were not ended, ${held} slots are still held`)
      }
    },
  }
}
