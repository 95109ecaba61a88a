import { createHash } from 'node:crypto'

/** SHA-256 of a text's UTF-8 bytes, 32 bytes. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}

/** @returns 64 hexadecimal digits */
export function sha256Hex(text: string): string {
  return sha256(text).toString('hex')
}
