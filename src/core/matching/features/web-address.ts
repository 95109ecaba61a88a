export interface WebAddress {
  /** In lower case, without `www.` */
  readonly host: string
  /** Without the last slash, query and fragment. */
  readonly path: string
}

const ADDRESS = /^(?:https?:)?(?:\/\/)?(?:www\d?\.)?([^/?#\s:]+\.[^/?#\s:]+)(?::\d+)?([^?#]*)/i

/** Reads an address with or without scheme. @returns null for a text that is none. */
export function readWebAddress(text: string): WebAddress | null {
  const match = ADDRESS.exec(text.trim())
  if (match === null) return null
  return { host: (match[1] ?? '').toLowerCase(), path: (match[2] ?? '').trim().replace(/\/+$/, '') }
}
