import { ProblemError } from './problem.ts'

const MOST_BYTES = 1024 * 1024

/** The body of a request. @throws ProblemError `body_too_large` above 1 MiB */
export async function boundedText(request: Request): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of request.body ?? []) {
    bytes += part.length
    if (bytes > MOST_BYTES) {
      throw new ProblemError(413, {
        code: 'body_too_large',
        detail: `The body is larger than ${MOST_BYTES} bytes.`,
      })
    }
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
