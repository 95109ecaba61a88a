import type { HostGrouping } from './host-group.ts'

/** How the files of a queue are fetched: one configuration, kept with the queue, read by whoever works on it. */

export interface QueueOptions {
  /** Files on their way at once, of all workers together. */
  readonly maxWorkers: number
  /** Bodies on their way at once per resolver; a resolver that is not named has the default. */
  readonly maxPerResolver: Readonly<Record<string, number>>
  readonly resolverDefault: number
  /** Bodies on their way at once per host and port, or as `groupHosts` says. */
  readonly maxPerHost: number
  /** Whose hosts share `maxPerHost`. */
  readonly groupHosts: HostGrouping
  /** Failed attempts before a job is given up. */
  readonly maxAttempts: number
  /** After so many failed attempts one waits so long, ms; the last one repeats. */
  readonly backoffMs: readonly number[]
  /** Ask for the headers before the file. */
  readonly head: boolean
  readonly minBytes: number
  readonly maxBytes: number
  /** Of one file, ms. */
  readonly totalMs: number
  /** Slower for a minute, bytes/s, ends the attempt. */
  readonly minBytesPerSecond: number
  /** Gathered before it is written into its file, bytes. */
  readonly chunkBytes: number
  /** Waits that a server asks for, ms; a longer one is cut to it. */
  readonly maxRetryAfterMs: number
  /** So many artifacts of a host with the same content are suspicious. */
  readonly suspiciousDuplicates: number
  /** Address ranges (CIDR) that are let in though they are private. */
  readonly allowedAddresses: readonly string[]
  /** Beside 80 and 443; empty: none. */
  readonly allowedPorts: readonly number[]
  /** Host → file on the machine of the worker with the certificate (PEM) of an authority that is trusted for it too. */
  readonly authorities: Readonly<Record<string, string>>
  /** What hosts ask of robots: `header` heeds X-Robots-Tag, `obey` robots.txt as well. */
  readonly robots: 'ignore' | 'header' | 'obey'
  /** Where contents are kept: file:///… or s3://…; null: the folder artifacts in the home of the worker. */
  readonly store: string | null
  /** Name → address with `{field}` in it. */
  readonly templates: Readonly<Record<string, string>>
  /** Where DOIs are looked up. */
  readonly doiResolver: string
  /** Where the files of Commons are. */
  readonly commons: string
  /** `force`: every file is asked for; `offline`: none is, and what is stored is used. */
  readonly cache: 'use' | 'force' | 'offline'
  /** Stored answers that are older are not used without asking; null: as they say themselves. */
  readonly maxAgeMs: number | null
  /** Without an answer for so long a host is given up, ms. */
  readonly giveUpAfterMs: number
  /** Free space that is always left on the disk, bytes. */
  readonly reserveBytes: number
}

const MIB = 1024 * 1024

/** Safe for servers of others. */
export const defaultQueueOptions: QueueOptions = {
  maxWorkers: 16,
  maxPerResolver: {},
  resolverDefault: 8,
  maxPerHost: 4,
  groupHosts: 'host',
  maxAttempts: 3,
  backoffMs: [5_000, 30_000, 180_000],
  head: false,
  minBytes: 0,
  maxBytes: 1024 * MIB,
  totalMs: 6 * 60 * 60 * 1000,
  minBytesPerSecond: 1024,
  chunkBytes: 512 * 1024,
  maxRetryAfterMs: 60 * 60 * 1000,
  suspiciousDuplicates: 5,
  allowedAddresses: [],
  allowedPorts: [],
  authorities: {},
  robots: 'ignore',
  store: null,
  templates: {},
  doiResolver: 'https://doi.org',
  commons: 'https://commons.wikimedia.org',
  cache: 'use',
  maxAgeMs: null,
  giveUpAfterMs: 24 * 60 * 60 * 1000,
  reserveBytes: 1024 * MIB,
}
