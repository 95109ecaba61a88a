/** What transfers of a process share: connections, stores and slots. */
import type { QueueOptions } from '../core/download/queue-options.ts'
import { defaultTransferLimits } from '../core/download/transfer-limits.ts'
import type { Permits } from '../core/limiter/permit.ts'
import { createSlots, type Slots } from '../db/advisory-slots.ts'
import type { ArtifactFetcher } from '../http/download/artifact-fetcher.ts'
import { createArtifactFetcher } from '../http/download/fetch-artifact.ts'
import { createFileHasher } from '../http/download/file-hasher.ts'
import { createDownloadAgents } from '../http/download/guarded-agents.ts'
import type { ServiceCredentials } from '../http/reconciliation/service-credentials.ts'
import type { BlobStore } from '../store/blob-store.ts'
import { openBlobStore } from '../store/open-blob-store.ts'
import { groupedPermits } from './grouped-permits.ts'
import { readAuthorities } from './read-authorities.ts'
import { createRobotsGate, type RobotsGate } from './robots-gate.ts'

export interface DownloadTools {
  readonly slots: Slots
  /** Kept for the next job with the same options. */
  open(options: QueueOptions): Promise<OpenedTools>
  close(): Promise<void>
}

export interface OpenedTools {
  readonly store: BlobStore
  readonly fetcher: ArtifactFetcher
  /** What the fetcher gives is on the disk itself. */
  readonly isSealing: boolean
  readonly robots: RobotsGate
  /** Secrets for hosts. */
  readonly credentials: ServiceCredentials
}

export interface DownloadToolsOptions {
  readonly databaseUrl: string
  readonly permits: Permits
  readonly contact: string | undefined
  readonly version: string
  /** Secrets for hosts; default: none. */
  readonly credentials?: ServiceCredentials
  /** Of queues that name none. */
  readonly storeUri: string
}

/** Options of so many queues, and of before they were changed. */
const MOST_KEPT = 20

export function createDownloadTools(deps: DownloadToolsOptions): DownloadTools {
  const slots = createSlots(deps.databaseUrl)
  const hasher = createFileHasher()
  const robots = createRobotsGate(() => performance.now())
  const kept = new Map<string, Promise<OpenedTools & { readonly close: () => Promise<void> }>>()
  const open = async (options: QueueOptions) => {
    const { reserveBytes, allowedAddresses: allowed, allowedPorts: ports } = options
    const store = await openBlobStore(options.store ?? deps.storeUri, { reserveBytes })
    const authorities = await readAuthorities(options.authorities)
    const agents = createDownloadAgents({ allowed, ports, authorities })
    const { contact, version, credentials = {} } = deps
    const permits = groupedPermits(deps.permits, options.groupHosts)
    const limits = transferLimits(options)
    const tempDir = store.tempDir
    // What goes on to another machine need not be on the disk of this one.
    const isSealing = store.localDir !== null
    const shared = { permits, contact, version, agents, limits, tempDir, isSealing, hasher }
    const fetcher = createArtifactFetcher(shared)
    const close = async () => {
      await fetcher.close()
      await agents.close()
      store.close()
    }
    return { store, fetcher, isSealing, robots, credentials, close }
  }
  return {
    slots,
    async open(options) {
      const key = JSON.stringify([options, deps.storeUri])
      const found = kept.get(key)
      if (found !== undefined) return found
      // What transfers may still use of older options is closed with the process.
      if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value ?? '')
      const opened = open(options)
      kept.set(key, opened)
      opened.catch(() => kept.delete(key))
      return opened
    },
    async close() {
      for (const opened of kept.values()) await (await opened).close()
      await hasher.close()
      await slots.close()
    },
  }
}

function transferLimits(options: QueueOptions) {
  return {
    ...defaultTransferLimits,
    totalMs: options.totalMs,
    maxBytes: options.maxBytes,
    leastBytesPerWindow: (options.minBytesPerSecond * defaultTransferLimits.windowMs) / 1000,
    chunkBytes: options.chunkBytes,
    longestWaitMs: options.maxRetryAfterMs,
    diskReserveBytes: options.reserveBytes,
  }
}
