/** A profile as people write it: what is usual may be left out, and every fault of it is told at once. */
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { ContentType, SourceProfile } from '../../core/extract/source-profile.ts'
import { isChained, isNumbered } from '../../core/extract/paginator.ts'
import { UsageError } from '../../errors.ts'
import { fileTroubleText } from '../../file-trouble.ts'
import { parseHttpUrl } from '../../http/http-url.ts'
import { lookerProfile } from './looker-profile.ts'

const text = z.string().min(1, 'expected some text')
const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'expected small letters, digits, - and _, 63 at most')
const path = z.string().regex(/^\/[^#\s]*$/, 'expected a path that begins with /')
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'expected the name of a header')
const headerValue = z.string().regex(/^[\x20-\x7e]*$/, 'expected printable ASCII')

const baseUrl = z
  .string()
  .refine((value) => isBareUrl(value), 'expected http(s)://host/… without password or query')
  .transform((value) => value.replace(/\/+$/, ''))

const auth = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer') }),
  z.strictObject({ kind: z.literal('basic') }),
  z.strictObject({ kind: z.literal('header'), name: headerName }),
  z.strictObject({
    kind: z.literal('login'),
    path,
    idField: text.default('client_id'),
    secretField: text.default('client_secret'),
    tokenPath: text.default('access_token'),
    expiresInPath: text.default('expires_in'),
    scheme: text.default('Bearer'),
  }),
])

const paginator = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({
    kind: z.literal('offset'),
    offsetParam: text.default('offset'),
    limitParam: text.default('limit'),
  }),
  z.strictObject({
    kind: z.literal('page'),
    pageParam: text.default('page'),
    sizeParam: text.default('per_page'),
    firstPage: z.int().min(0).max(1).default(1),
  }),
  z.strictObject({
    kind: z.literal('cursor'),
    cursorParam: text.default('cursor'),
    cursorPath: text,
    limitParam: text.nullable().default('limit'),
  }),
  z.strictObject({ kind: z.literal('link'), limitParam: text.nullable().default(null) }),
])

const contentType = z
  .strictObject({
    name,
    path,
    params: z.record(text, z.string()).default({}),
    sort: z.strictObject({ param: text, value: text }).optional(),
    fields: z.strictObject({ param: text, names: z.array(text).min(1) }).optional(),
    items: z.string().default(''),
    id: text.default('id'),
    paginator: paginator.default({ kind: 'none' }),
    total: z
      .union([z.strictObject({ header: headerName }), z.strictObject({ path: text })])
      .optional(),
    emptyPages: z.enum(['end', 'continue']).optional(),
    detail: z
      .strictObject({ path: path.refine((value) => value.includes('{id}'), 'expected {id} in it') })
      .optional(),
    columns: z.record(text, text).optional(),
    changedSince: z.strictObject({ param: text, field: text }).optional(),
  })
  .refine(
    ({ paginator: pages, emptyPages, total }) =>
      emptyPages !== 'continue' || isChained(pages) || total !== undefined,
    { path: ['emptyPages'], error: '"continue" needs a total, or the list would have no end' },
  )

const profileSchema = z
  .strictObject({
    name,
    baseUrl,
    auth: auth.default({ kind: 'none' }),
    headers: z.record(headerName, headerValue).default({}),
    types: z.array(contentType).min(1, 'expected a content type'),
  })
  .refine(({ types }) => new Set(types.map((type) => type.name)).size === types.length, {
    path: ['types'],
    error: 'two content types have the same name',
  })

export interface ReadProfile {
  readonly profile: SourceProfile
  /** Types whose numbered pages come in no order that is known. */
  readonly unsorted: readonly string[]
}

/** Profiles that are known by a name instead of a file; their address is given with them. */
const shipped: Readonly<Record<string, object>> = { looker: lookerProfile }

/**
 * @param from a file, or the name of a profile that is shipped
 * @param address takes the place of the profile's `baseUrl`
 * @throws UsageError `profile_not_readable`, `base_url_missing`, or `bad_profile` with every violation
 */
export async function readProfile(from: string, address: string | undefined): Promise<ReadProfile> {
  const known = Object.hasOwn(shipped, from) ? shipped[from] : undefined
  const read: unknown = known ?? (await readJson(from))
  if (known !== undefined && address === undefined) {
    throw new UsageError({
      code: 'base_url_missing',
      message: `The profile ${from} has no address; expected the one of your server.`,
      hint: 'Give it with --base-url, such as https://company.example/api/4.0',
    })
  }
  const isObject = typeof read === 'object' && read !== null
  return checkProfile(
    isObject && address !== undefined ? { ...read, baseUrl: address } : read,
    from,
  )
}

/**
 * @param from where it comes from, for the message
 * @throws UsageError `bad_profile` with every violation
 */
export function checkProfile(value: unknown, from: string): ReadProfile {
  const parsed = profileSchema.safeParse(value)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(
      ({ path: place, message }) => `  ${place.join('.') || 'the profile'}: ${message}`,
    )
    throw new UsageError({
      code: 'bad_profile',
      message: `${from} is no profile of a source:\n${faults.join('\n')}`,
      hint: 'All fields, with examples: docs/extract.md',
    })
  }
  const { types, ...source } = parsed.data
  const unsorted = types
    .filter(({ sort, paginator: pages }) => sort === undefined && isNumbered(pages))
    .map((type) => type.name)
  return { profile: { ...source, types: types.map(typeOf) }, unsorted }
}

function typeOf(read: z.output<typeof contentType>): ContentType {
  const { sort, fields, params, emptyPages, total, detail, columns, changedSince, ...rest } = read
  return {
    ...rest,
    params: {
      ...params,
      ...(sort === undefined ? {} : { [sort.param]: sort.value }),
      ...(fields === undefined ? {} : { [fields.param]: fields.names.join(',') }),
    },
    emptyPages: emptyPages ?? (isChained(rest.paginator) ? 'continue' : 'end'),
    total: total ?? null,
    detail: detail ?? null,
    columns: columns ?? null,
    ...(changedSince === undefined ? {} : { changedSince }),
  }
}

function isBareUrl(value: string): boolean {
  const url = parseHttpUrl(value)
  return url !== undefined && url.username === '' && url.password === '' && url.search === ''
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown
  } catch (error) {
    throw new UsageError({
      code: 'profile_not_readable',
      message: `${file} cannot be read: ${fileTroubleText(error)}.`,
      hint: 'Give the path of a JSON file with --profile.',
      cause: error,
    })
  }
}
