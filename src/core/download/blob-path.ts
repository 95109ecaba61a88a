/** Where a content lies in a store: two levels of folders by the first bytes of its hash, none with many thousand files. */

const SHA256 = /^[0-9a-f]{64}$/

/** Folder of all contents. */
export const BLOB_FOLDER = 'sha256'

function isSha256(text: string): boolean {
  return SHA256.test(text)
}

/**
 * Path in the store, the same in every kind of store.
 * @throws TypeError for what is no SHA-256 in small hexadecimal digits: it must never become a path
 */
export function blobPath(sha256: string): string {
  if (!isSha256(sha256)) throw new TypeError(`expected 64 hexadecimal digits, found "${sha256}"`)
  return `${BLOB_FOLDER}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}

/** The hash of which this is the path; undefined: it is the path of something else. */
export function hashOfBlobPath(path: string): string | undefined {
  const sha256 = path.slice(path.lastIndexOf('/') + 1)
  return isSha256(sha256) && blobPath(sha256) === path ? sha256 : undefined
}
