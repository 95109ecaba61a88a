/** A line of a file of artifacts: what is wanted, or why it cannot be read. */
import { plainDoi, type JobWish } from '../../core/download/artifact-id.ts'
import type { Artifact } from '../../core/download/artifact.ts'
import type { ExpectedDigest } from '../../core/download/artifact-plan.ts'
import { imageAddress } from '../../core/commons/image-address.ts'
import { parseHttpUrl } from '../../http/http-url.ts'

type Cells = Readonly<Record<string, string>>

const ALGORITHMS = ['sha256', 'sha512', 'sha1', 'md5'] as const
const HEX_LENGTHS = { sha256: 64, sha512: 128, sha1: 40, md5: 32 } as const
const KNOWN = new Set([
  'id',
  'url',
  'urls',
  'doi',
  'commons',
  'width',
  'name',
  'priority',
  'resolver',
  'types',
  'bytes',
  'min_bytes',
  'max_bytes',
  'allow_empty',
  'must_end_complete',
  'author',
  'licence',
  'licence_url',
  'credit',
  ...ALGORITHMS,
])

export type ReadRow = { readonly wish: JobWish } | { readonly faults: readonly string[] }

/** @param cells by column; columns that are not known fill templates */
export function artifactOfRow(cells: Cells): ReadRow {
  const faults: string[] = []
  const text = (name: string) => cells[name]?.trim() || undefined
  const number = (name: string, least: number, most: number): number | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const found = Number(value)
    if (Number.isInteger(found) && found >= least && found <= most) return found
    faults.push(`${name} is "${value}", expected a whole number from ${least} to ${most}`)
    return undefined
  }
  const yes = (name: string): boolean | undefined => {
    const value = text(name)
    if (value === undefined || value === 'false') return undefined
    if (value === 'true') return true
    faults.push(`${name} is "${value}", expected true or false`)
    return undefined
  }
  const urls = [...words(text('url')), ...words(text('urls'))]
  for (const url of urls) {
    const address = parseHttpUrl(url)
    if (address === undefined || address.username !== '' || address.password !== '') {
      faults.push('an address is not http(s)://host/… without a password')
    }
  }
  const doi = text('doi')
  if (doi !== undefined && plainDoi(doi) === undefined) {
    faults.push(`doi is "${doi}", expected one like 10.1000/182`)
  }
  const commonsFile = text('commons')
  if (
    commonsFile !== undefined &&
    imageAddress(commonsFile, 'https://commons.wikimedia.org') === undefined
  ) {
    faults.push(`commons is "${commonsFile}", expected the name of a file, like Example.jpg`)
  }
  const digests = digestsOf(text, faults)
  const types = words(text('types'))
  const expected = defined({
    types: types.length === 0 ? undefined : types,
    bytes: number('bytes', 0, 2 ** 50),
    minBytes: number('min_bytes', 0, 2 ** 50),
    maxBytes: number('max_bytes', 0, 2 ** 50),
    allowEmpty: yes('allow_empty'),
    mustEndComplete: yes('must_end_complete'),
    digests: digests.length === 0 ? undefined : digests,
  })
  const fields = Object.fromEntries(
    Object.entries(cells).filter(([name, value]) => !KNOWN.has(name) && value.trim() !== ''),
  )
  const told = {
    author: text('author'),
    name: text('licence'),
    url: text('licence_url'),
    credit: text('credit'),
  }
  const artifact: Artifact = defined({
    urls: urls.length === 0 ? undefined : urls,
    doi: doi === undefined ? undefined : plainDoi(doi),
    commonsFile,
    widthPx: number('width', 1, 100_000),
    name: text('name'),
    fields: Object.keys(fields).length === 0 ? undefined : fields,
    expected: Object.keys(expected).length === 0 ? undefined : expected,
    licence: Object.values(told).every((value) => value === undefined)
      ? undefined
      : {
          author: told.author ?? null,
          name: told.name ?? null,
          url: told.url ?? null,
          credit: told.credit ?? null,
        },
  })
  const priority = number('priority', -1_000_000, 1_000_000)
  if (faults.length > 0) return { faults }
  return {
    wish: { artifact, artifactId: text('id'), resolverHint: text('resolver'), priority },
  }
}

function digestsOf(
  text: (name: string) => string | undefined,
  faults: string[],
): readonly ExpectedDigest[] {
  return ALGORITHMS.flatMap((algorithm) => {
    const hex = text(algorithm)?.toLowerCase()
    if (hex === undefined) return []
    if (/^[\da-f]+$/.test(hex) && hex.length === HEX_LENGTHS[algorithm]) return [{ algorithm, hex }]
    faults.push(`${algorithm} is no ${HEX_LENGTHS[algorithm]} hexadecimal digits`)
    return []
  })
}

/** A JSON list, or words apart by spaces. */
function words(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  if (text.startsWith('[')) {
    try {
      const list: unknown = JSON.parse(text)
      if (Array.isArray(list)) return list.map(String)
    } catch {
      // Then it is an address in brackets, which is told as none.
    }
  }
  return text.split(/\s+/)
}

/** The type says what is left out; nothing undefined is kept. */
function defined<Value extends object>(value: {
  readonly [Key in keyof Value]: Value[Key] | undefined
}): Value {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only what is undefined is left out
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value
}
