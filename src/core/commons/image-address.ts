/** Addresses of files on Wikimedia Commons, of which items hold the names (research/reconciliation.md §2.10). */

export const COMMONS = 'https://commons.wikimedia.org'

/**
 * The widths in pixels that Commons serves pictures in; others are refused with 400 or 429 (`$wgThumbnailSteps`,
 * https://www.mediawiki.org/wiki/Common_thumbnail_sizes).
 */
export const servedWidthsPx = [20, 40, 60, 120, 250, 330, 500, 960, 1280, 1920, 3840] as const

const WIDEST_PX = 3840

/** The next wider width that is served, as MediaWiki itself rounds; the widest for whatever is wider. */
export function servedWidthPx(wantedPx: number): number {
  return servedWidthsPx.find((width) => width >= wantedPx) ?? WIDEST_PX
}

/**
 * The stable address of a file, which redirects to the file itself.
 * @param value what an item states: a name, with or without `File:`, or an address of this kind
 * @param commons where the files are, without a slash at the end
 * @param widthPx of the picture, moved to one that is served; absent: the file as it is
 * @returns undefined where the value is no name of a file, such as an address elsewhere
 */
export function imageAddress(value: string, commons: string, widthPx?: number): string | undefined {
  const name = fileName(value)
  if (name === undefined) return undefined
  const address = `${commons}/wiki/Special:FilePath/${percentEncoded(name)}`
  return widthPx === undefined ? address : `${address}?width=${servedWidthPx(widthPx)}`
}

/** A name has an extension; no other text is asked for. */
const FILE_NAME = /^[^/]+\.\w{2,5}$/u

function fileName(value: string): string | undefined {
  const [, encoded] =
    /^https?:\/\/commons\.wikimedia\.org\/wiki\/(?:Special:FilePath|File:)\/?([^?#]+)/i.exec(
      value,
    ) ?? []
  const text = encoded === undefined ? value : decoded(encoded)
  const name = text
    .trim()
    .replace(/^(?:file|image):/i, '')
    .trim()
    .replace(/[\s_]+/gu, '_')
  return FILE_NAME.test(name) ? name : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A lone percent sign: whoever wrote it did not encode.
    return text
  }
}

/** Quotes and brackets too, which `encodeURIComponent` leaves and texts around an address end with. */
function percentEncoded(name: string): string {
  return encodeURIComponent(name).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
