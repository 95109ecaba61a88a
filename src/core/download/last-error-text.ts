/** Bytes of an error that are kept with its job. */
const MOST_BYTES = 2048

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** An error as it is kept: cut where it is too long. */
export function lastErrorText(message: string): string {
  const bytes = encoder.encode(message)
  if (bytes.length <= MOST_BYTES) return message
  // A character that is cut in half is left out.
  return `${decoder.decode(bytes.subarray(0, MOST_BYTES - 3)).replace(/\uFFFD+$/u, '')}…`
}
