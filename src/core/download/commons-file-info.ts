/** What Commons says about a file (https://commons.wikimedia.org/wiki/Commons:Machine-readable_data). */
import type { ArtifactLicence } from './artifact-plan.ts'

export interface CommonsFileInfo {
  readonly licence?: ArtifactLicence
  /** Of the file as it is. */
  readonly bytes?: number
  readonly sha1?: string
}

const FIELDS = 'Artist|Credit|LicenseShortName|LicenseUrl|Attribution'

/** @param fileAddress of `imageAddress`, whose last part is the name */
export function fileInfoAddress(fileAddress: string, commons: string): string {
  const name = new URL(fileAddress).pathname.split('/').at(-1) ?? ''
  const query = new URLSearchParams({
    action: 'query',
    format: 'json',
    formatversion: '2',
    prop: 'imageinfo',
    iiprop: 'size|sha1|extmetadata',
    iiextmetadatafilter: FIELDS,
    titles: `File:${decodeURIComponent(name)}`,
  })
  return `${commons}/w/api.php?${query.toString()}`
}

/** Whatever of it cannot be read is unknown. */
export function readFileInfo(text: string): CommonsFileInfo {
  const info = at(parsed(text), 'query', 'pages', 0, 'imageinfo', 0)
  if (info === undefined) return {}
  const field = (name: string) => {
    const value = at(info, 'extmetadata', name, 'value')
    return typeof value === 'string' ? plainText(value) || null : null
  }
  const bytes = at(info, 'size')
  const sha1 = at(info, 'sha1')
  return {
    licence: {
      author: field('Artist'),
      name: field('LicenseShortName'),
      url: field('LicenseUrl'),
      credit: field('Attribution') ?? field('Credit'),
    },
    ...(typeof bytes === 'number' ? { bytes } : {}),
    ...(typeof sha1 === 'string' && /^[0-9a-f]{40}$/.test(sha1) ? { sha1 } : {}),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let inner = value
  for (const key of path) {
    if (typeof inner !== 'object' || inner === null) return undefined
    inner = Object.entries(inner).find(([name]) => name === String(key))?.[1]
  }
  return inner
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
}

/** Values are HTML, for pages. */
function plainText(html: string): string {
  return html
    .replace(/<(?:style|script)\b[^]*?<\/(?:style|script)>/gi, '')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
      const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
      if (point !== undefined) return point <= 0x10ffff ? String.fromCodePoint(point) : whole
      return ENTITIES[String(name).toLowerCase()] ?? whole
    })
    .replace(/\s+/g, ' ')
    .trim()
}
