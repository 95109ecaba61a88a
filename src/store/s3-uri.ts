import { UsageError } from '../errors.ts'

export interface S3Place {
  readonly bucket: string
  /** Without slashes at its ends; blank: none. */
  readonly prefix: string
  /** Of a compatible store; undefined: Amazon's, or what the environment names. */
  readonly endpoint: string | undefined
  readonly region: string | undefined
  /** The bucket is in the path of the address and not in its host. */
  readonly pathStyle: boolean
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const PARAMETERS: readonly string[] = ['endpoint', 'region', 'path-style']

/**
 * `s3://bucket/prefix?endpoint=https://…&region=…&path-style=true`. Compatible stores mostly want the bucket in the path,
 * so that is the default where an endpoint is given.
 * @throws UsageError `bad_store`
 */
export function readS3Uri(text: string): S3Place {
  const uri = urlOf(text)
  if (uri === null || uri.protocol !== 's3:' || !BUCKET.test(uri.hostname)) {
    throw badStore(text, 'expected s3://bucket/prefix')
  }
  if (uri.username !== '' || uri.password !== '') {
    throw badStore(
      text,
      'keys do not belong into it: give them as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    )
  }
  const unknown = [...uri.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) {
    throw badStore(text, `"${unknown}" is not one of ${PARAMETERS.join(', ')}`)
  }
  const endpoint = uri.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:\/\/[^/@]+\/?$/.test(endpoint)) {
    throw badStore(text, 'its endpoint is to be like https://storage.example.org')
  }
  const pathStyle = uri.searchParams.get('path-style') ?? String(endpoint !== undefined)
  if (pathStyle !== 'true' && pathStyle !== 'false') {
    throw badStore(text, 'path-style is true or false')
  }
  return {
    bucket: uri.hostname,
    prefix: decodeURIComponent(uri.pathname).replace(/^\/+|\/+$/g, ''),
    endpoint,
    region: uri.searchParams.get('region') ?? undefined,
    pathStyle: pathStyle === 'true',
  }
}

function urlOf(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

/** What came is not repeated: it may hold a key. */
function badStore(text: string, expected: string): UsageError {
  return new UsageError({
    code: 'bad_store',
    message: `The address of the store (${text.slice(0, 5)}…, ${text.length} characters) cannot be used: ${expected}.`,
    hint: 'Write it as s3://bucket/prefix?endpoint=https://storage.example.org&region=eu-1',
  })
}
