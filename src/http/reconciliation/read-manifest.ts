/** A service's description of itself, read tolerantly (research/reconciliation.md §1.2, §1.8). Pure. */
import { OutsideCallError } from '../../errors.ts'
import { looksLikeManifest } from './looks-like-manifest.ts'
import { protocolFor, spokenVersions } from './protocol-for.ts'
import { readSecurityScheme, type SecurityScheme } from './security-scheme.ts'
import { field, isJsonObject, parseTolerantJson } from '../tolerant-json.ts'

export interface ReconciliationManifest {
  readonly name: string
  /** As declared; `0.1` where the service declares none. */
  readonly versions: readonly string[]
  /** Of the service's software or data, as it says; null where it does not. */
  readonly serviceVersion: string | null
  /** URI prefix of entity ids; the endpoint where the service names none. */
  readonly identifierSpace: string
  /** URI of the type system; the endpoint where the service names none. */
  readonly schemaSpace: string
  readonly defaultTypes: readonly { readonly id: string; readonly name: string | null }[]
  /** Template with `{{id}}`, in 1.0 `{id}` or `{+id}` (RFC 6570); null where there is none. */
  readonly viewUrl: string | null
  /** Most queries the service takes in one batch; null where it does not say. */
  readonly batchSize: number | null
  /** It tells what its items state (data extension). */
  readonly offersExtension: boolean
  /** How all calls but this one tell who asks; null where nobody wants to know. */
  readonly authentication: SecurityScheme | null
  /** Where properties are found by name; null where the service does not offer it. */
  readonly suggestPropertyUrl: string | null
  /** Where batches go: the address after redirects. */
  readonly endpoint: string
  /** What was missing or wrong and what was put in its place, one sentence each. */
  readonly warnings: readonly string[]
}

/**
 * @param endpoint Where the body came from.
 * @throws OutsideCallError kind `endpoint`: `bad_manifest`, `unsupported_version`.
 */
export function readManifest(bodyText: string, endpoint: string): ReconciliationManifest {
  const value = parsed(bodyText)
  if (!looksLikeManifest(value)) throw badManifest(bodyText)
  const warnings: string[] = []
  const versions = readVersions(field(value, 'versions'))
  const hasSpaces = !versions.includes('1.0-draft')
  const orDefault = (key: string, fallback: string, isDue = true): string => {
    const text = field(value, key)
    if (typeof text === 'string' && text.trim() !== '') return text
    if (isDue) warnings.push(`The manifest has no ${key}; taken as ${fallback}.`)
    return fallback
  }
  return {
    name: orDefault('name', new URL(endpoint).host),
    versions,
    serviceVersion: readShortText(field(value, 'serviceVersion')),
    // 1.0 has no spaces any more.
    identifierSpace: orDefault('identifierSpace', endpoint, hasSpaces),
    schemaSpace: orDefault('schemaSpace', endpoint, hasSpaces),
    defaultTypes: readTypes(field(value, 'defaultTypes')),
    viewUrl: readViewUrl(field(value, 'view'), warnings),
    batchSize: readBatchSize(field(value, 'batchSize'), warnings),
    offersExtension: isJsonObject(field(value, 'extend')),
    authentication: readAuthentication(field(value, 'authentication'), warnings),
    suggestPropertyUrl: readSuggestUrl(field(value, 'suggest'), 'property'),
    endpoint,
    warnings,
  }
}

/** The error for whatever is not a manifest. */
export function badManifest(bodyText: string | undefined, cause?: unknown): OutsideCallError {
  return new OutsideCallError({
    kind: 'endpoint',
    code: 'bad_manifest',
    message:
      'The address does not describe a reconciliation service; expected a JSON manifest with name, identifierSpace and schemaSpace.',
    hint: 'Check the service URL of the project: it is the endpoint itself, not its documentation.',
    bodyHead: bodyText?.slice(0, 500),
    cause,
  })
}

function parsed(bodyText: string): unknown {
  try {
    return parseTolerantJson(bodyText)
  } catch (error) {
    throw badManifest(bodyText, error)
  }
}

function readShortText(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : null
}

function readVersions(value: unknown): readonly string[] {
  const listed = (Array.isArray(value) ? value : [value]).filter((v) => typeof v === 'string')
  const versions = listed.length === 0 ? ['0.1'] : listed
  if (protocolFor(versions)) return versions
  throw new OutsideCallError({
    kind: 'endpoint',
    code: 'unsupported_version',
    message: `The service speaks version ${versions.join(', ').slice(0, 100)} of the reconciliation API; expected one of ${spokenVersions}.`,
    hint: 'Ask its operator for an endpoint of version 0.2.',
  })
}

function readTypes(value: unknown): ReconciliationManifest['defaultTypes'] {
  if (!Array.isArray(value)) return []
  return value.filter(isJsonObject).flatMap((type) => {
    const id = field(type, 'id')
    const name = field(type, 'name')
    return typeof id === 'string' ? [{ id, name: typeof name === 'string' ? name : null }] : []
  })
}

function readViewUrl(view: unknown, warnings: string[]): string | null {
  const url = isJsonObject(view) ? field(view, 'url') : undefined
  if (typeof url === 'string' && /\{\{id\}\}|\{\+?id\}/.test(url)) return url
  if (view !== undefined) warnings.push('The manifest has a view without {{id}}; not used.')
  return null
}

/** The address is the two parts one after the other. */
function readSuggestUrl(suggest: unknown, kind: string): string | null {
  const service = isJsonObject(suggest) ? field(suggest, kind) : undefined
  if (!isJsonObject(service)) return null
  const [base, path] = [field(service, 'service_url'), field(service, 'service_path')]
  const url = `${typeof base === 'string' ? base : ''}${typeof path === 'string' ? path : ''}`
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null
}

function readBatchSize(value: unknown, warnings: string[]): number | null {
  const size = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof size === 'number' && Number.isInteger(size) && size > 0) return size
  if (value !== undefined) warnings.push('The manifest has an unusable batchSize; ignored.')
  return null
}

function readAuthentication(value: unknown, warnings: string[]): SecurityScheme | null {
  const scheme = readSecurityScheme(value)
  if (scheme === undefined && value !== undefined && value !== null) {
    warnings.push('The manifest has an unknown kind of authentication; asked without credentials.')
  }
  return scheme ?? null
}
