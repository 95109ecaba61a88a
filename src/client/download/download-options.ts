/** The configuration of a queue: a file and flags, of which every fault is told at once. */
import { readFile } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { defaultQueueOptions, type QueueOptions } from '../../core/download/queue-options.ts'
import { UsageError } from '../../errors.ts'
import { parseHttpUrl } from '../../http/http-url.ts'
import type { DownloadSetFlags } from '../commands/download-flags.ts'

const whole = (least: number, most: number) =>
  z
    .int(`expected a whole number from ${least} to ${most}`)
    .min(least, `expected a whole number from ${least} to ${most}`)
    .max(most, `expected a whole number from ${least} to ${most}`)

const DAY_MS = 24 * 60 * 60 * 1000
const bytes = whole(0, 2 ** 50)
const base = z
  .string()
  .refine(
    (text) => parseHttpUrl(text) !== undefined,
    'expected an address that begins with https://',
  )
  .transform((text) => text.replace(/\/+$/, ''))
const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'expected small letters, digits, - and _')

const schema = z
  .strictObject({
    maxWorkers: whole(1, 500),
    maxPerResolver: z.record(name, whole(1, 500)),
    resolverDefault: whole(1, 500),
    maxPerHost: whole(1, 100),
    groupHosts: z.enum(['host', 'domain'], 'expected host or domain'),
    maxAttempts: whole(1, 20),
    backoffMs: z.array(whole(0, DAY_MS)).min(1, 'expected at least one wait'),
    head: z.boolean('expected true or false'),
    minBytes: bytes,
    maxBytes: bytes,
    totalMs: whole(1_000, 7 * DAY_MS),
    minBytesPerSecond: whole(0, 2 ** 40),
    chunkBytes: whole(16 * 1024, 16 * 1024 * 1024),
    maxRetryAfterMs: whole(0, 7 * DAY_MS),
    suspiciousDuplicates: whole(1, 1_000_000),
    allowedAddresses: z.array(
      z
        .string()
        .regex(/^[\da-f.:]+(?:\/\d{1,3})?$/i, 'expected an address or a range, like 10.0.0.0/8'),
    ),
    allowedPorts: z.array(whole(1, 65_535)),
    authorities: z.record(
      z.string().regex(/^[\da-z.-]+$/, 'expected a host in small letters'),
      z.string().refine(isAbsolute, 'expected the absolute path of a certificate (PEM)'),
    ),
    robots: z.enum(['ignore', 'header', 'obey'], 'expected ignore, header or obey'),
    store: z
      .string()
      .regex(/^(?:file:\/\/\/|s3:\/\/)/, 'expected file:///folder or s3://bucket/prefix')
      .nullable(),
    templates: z.record(
      name,
      z
        .string()
        .refine(
          (text) => parseHttpUrl(text.replace(/\{\w+\}/g, 'x')) !== undefined,
          'expected an address with {field} in it',
        ),
    ),
    doiResolver: base,
    commons: base,
    cache: z.enum(['use', 'force', 'offline'], 'expected use, force or offline'),
    maxAgeMs: whole(0, 3650 * DAY_MS).nullable(),
    giveUpAfterMs: whole(0, 365 * DAY_MS),
    reserveBytes: bytes,
  })
  .refine(({ minBytes, maxBytes }) => minBytes <= maxBytes, {
    path: ['minBytes'],
    error: 'expected no more than maxBytes',
  })

/**
 * What a queue is to be fetched with.
 * @param before of the queue; undefined: it is new
 * @returns undefined: nothing was said, so it stays as it is
 * @throws UsageError `config_not_readable`, `bad_config` with every violation
 */
export async function wantedOptions(
  flags: DownloadSetFlags,
  before: QueueOptions | undefined,
): Promise<QueueOptions | undefined> {
  const given = flagOptions(flags)
  if (flags.config === undefined && Object.keys(given).length === 0) {
    return before === undefined ? defaultQueueOptions : undefined
  }
  const start = flags.config === undefined ? (before ?? defaultQueueOptions) : defaultQueueOptions
  const file = flags.config === undefined ? {} : await readConfig(flags.config)
  const parsed = schema.safeParse({ ...start, ...file, ...given })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    ({ path, message }) => `  ${path.length === 0 ? '' : `${path.join('.')}: `}${message}`,
  )
  throw new UsageError({
    code: 'bad_config',
    message: `The queue cannot be set up so:\n${problems.join('\n')}`,
    hint: 'What can be set: docs/download.md',
  })
}

async function readConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const read: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return { ...read }
  } catch (error) {
    throw notReadable(path, error instanceof SyntaxError ? 'is no JSON' : 'cannot be read', error)
  }
  throw notReadable(path, 'is no JSON object')
}

function notReadable(path: string, what: string, cause?: unknown): UsageError {
  return new UsageError({
    code: 'config_not_readable',
    message: `${path} ${what}; expected the settings of a queue, such as {"maxPerHost": 2}.`,
    cause,
  })
}

function flagOptions(flags: DownloadSetFlags): Partial<QueueOptions> {
  const { maxWorkers, maxPerHost, maxPerResolver, maxAttempts, maxBytes, head, store } = flags
  const { allowAddress, cache, maxAge } = flags
  const given = {
    maxWorkers,
    maxPerHost,
    maxPerResolver,
    maxAttempts,
    maxBytes,
    head,
    store,
    allowedAddresses: allowAddress,
    cache,
    maxAgeMs: maxAge,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
