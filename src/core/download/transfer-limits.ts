/** What one transfer may take. */
export interface TransferLimits {
  /** Until a connection stands, ms. */
  readonly connectMs: number
  /** From the request to the end of the answer's headers, ms. */
  readonly headersMs: number
  /** Without a byte of the body, ms. */
  readonly idleMs: number
  /** All of it, waiting for permits and slots excluded, ms. */
  readonly totalMs: number
  /** A body that brings fewer bytes in a window is too slow. */
  readonly leastBytesPerWindow: number
  readonly windowMs: number
  /** Longest file, bytes, on the wire and again decoded. */
  readonly maxBytes: number
  /** Longest answer headers, bytes. */
  readonly maxHeaderBytes: number
  readonly maxRedirects: number
  /** Resumes in one attempt without progress. */
  readonly maxResumes: number
  /** Restarts from zero in one attempt. */
  readonly maxRestarts: number
  /** Before the first resume, ms; doubled for each one without progress. */
  readonly resumeDelayMs: number
  /** Fetched again whole after a wrong checksum. */
  readonly maxChecksumRetries: number
  /** A longer Retry-After parks the job, ms. */
  readonly longestWaitMs: number
  /** What came of a longer file is kept for the next attempt, bytes. */
  readonly keepPartFromBytes: number
  /** A longer file is hashed by a thread, bytes; it begins anew, so what came is hashed twice. */
  readonly hashAsideFromBytes: number
  /** Gathered before it is written into its file, bytes. */
  readonly chunkBytes: number
  /** Stays free on the disk, bytes. */
  readonly diskReserveBytes: number
}

const MINUTE_MS = 60_000
const GIB = 1024 ** 3

export const defaultTransferLimits: TransferLimits = {
  connectMs: 10_000,
  headersMs: 30_000,
  idleMs: MINUTE_MS,
  totalMs: 360 * MINUTE_MS,
  leastBytesPerWindow: 60 * 1024,
  windowMs: MINUTE_MS,
  maxBytes: GIB,
  maxHeaderBytes: 16 * 1024,
  maxRedirects: 10,
  maxResumes: 5,
  maxRestarts: 2,
  resumeDelayMs: 1_000,
  maxChecksumRetries: 2,
  longestWaitMs: 60 * MINUTE_MS,
  keepPartFromBytes: 64 * 1024 * 1024,
  hashAsideFromBytes: 8 * 1024 * 1024,
  chunkBytes: 512 * 1024,
  diskReserveBytes: GIB,
}
