import type { ArtifactPlan } from '../../core/download/artifact-plan.ts'
import type { TransferLimits } from '../../core/download/transfer-limits.ts'
import type { Permits } from '../../core/limiter/permit.ts'
import type { ResponseHeaders } from '../../core/retry-after.ts'
import type { Clocks } from '../exchange.ts'
import type { DownloadAgents } from './guarded-agents.ts'
import type { FileHasher } from './file-hasher.ts'
import type { OpenFile } from './temp-file.ts'
import type { DownloadExchange } from './download-exchange.ts'

export interface FetchArtifactOptions {
  readonly permits: Permits
  /** E-mail address or URL of the operator; undefined: only this machine is asked. */
  readonly contact: string | undefined
  /** Version of this program, for the User-Agent. */
  readonly version: string
  /** One per process; `close` of the fetcher leaves them open. */
  readonly agents: DownloadAgents
  /** Default: the machine's clocks. */
  readonly clocks?: Clocks
  /** Default `defaultTransferLimits`. */
  readonly limits?: Partial<TransferLimits>
  /** On the volume of the store. */
  readonly tempDir: string
  /** Free bytes of a folder's volume; default: asked of the file system. */
  readonly freeBytes?: (dir: string) => Promise<number>
  /** Default: that of the file system. */
  readonly openFile?: OpenFile
  /** Hashes large files beside this thread; default: nobody does. */
  readonly hasher?: FileHasher
  /** What is given to the caller is on the disk itself; default false. */
  readonly isSealing?: boolean
}

export interface FetchArtifactCall {
  readonly signal: AbortSignal
  /** Whose requests these are, for fairness between projects. */
  readonly project: string
  /** From 1. */
  readonly attempt: number
  /** Of this attempt alone; a part of the temporary file's name: letters, digits, `-`, `_`. */
  readonly token: string
  /** If-None-Match and If-Modified-Since from the cache. */
  readonly conditional?: Readonly<Record<string, string>>
  /**
   * Called when the final answer's headers are there and its body is to be read; what it returns is called right after
   * the body ended. What it throws ends the attempt as it is.
   */
  takeSlots(host: string): Promise<() => void>
  /** Bytes received of the file so far; less again after a restart. */
  onProgress(bytesDone: number): void
  onExchange(exchange: DownloadExchange): void
}

export type FetchedArtifact =
  FetchedBody | { readonly kind: 'not-modified'; readonly headers: ResponseHeaders }

export interface FetchedBody {
  readonly kind: 'body'
  /** Of mode 0600, the caller's from now on. */
  readonly tempPath: string
  /** Hex, of the bytes in the file. */
  readonly sha256: string
  readonly bytes: number
  /** Received for it, resumes and restarts included. */
  readonly wireBytes: number
  /** By the bytes. */
  readonly detectedType: string | null
  /** By the header, without parameters. */
  readonly declaredType: string | null
  readonly status: number
  readonly headers: ResponseHeaders
  /** Without user information, query and fragment. */
  readonly finalUrl: string
  /** Safe to show and to write; null: neither the host nor the address names it. */
  readonly displayName: string | null
  readonly resumes: number
  readonly restarts: number
  /** Neither a length nor chunks said where the body ends. */
  readonly lengthUnknown: boolean
}

export interface ArtifactFetcher {
  /**
   * @throws DownloadError; UsageError `contact_required`; the signal's reason when aborted; what `takeSlots` throws.
   *   The temporary file is removed on every way out but success.
   */
  fetch(plan: ArtifactPlan, call: FetchArtifactCall): Promise<FetchedArtifact>
  /** Aborts what is under way. */
  close(): Promise<void>
}
