/** The file of a form (RFC 7578), read as it comes: a file may be larger than memory. */
import { ProblemError } from './problem.ts'

export interface SentFile {
  /** As the browser names it. */
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
}

const CRLF = Buffer.from('\r\n')
const BLANK_LINE = Buffer.from('\r\n\r\n')
const MOST_HEADER_BYTES = 16_384

/**
 * The first file of a form; what stands before it is left out, what stands behind it is not read.
 * @throws ProblemError `no_file`
 */
export async function multipartFile(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<SentFile> {
  const boundary = /^multipart\/form-data\b.*?;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(
    contentType,
  )
  if (boundary === null) throw noFile('is no form with a file')
  const delimiter = Buffer.from(`\r\n--${boundary[1] ?? boundary[2] ?? ''}`)
  const chunks = body[Symbol.asyncIterator]()
  // The first delimiter begins the body, without a line before it.
  let held: Buffer = CRLF

  /** @returns false at the end of the body */
  const more = async (): Promise<boolean> => {
    const { value, done } = await chunks.next()
    if (done === true) return false
    held = Buffer.concat([held, value])
    return true
  }
  async function* partContent(): AsyncGenerator<Uint8Array> {
    while (true) {
      const end = held.indexOf(delimiter)
      // So much of what is held may be the begin of a delimiter.
      const sure = end === -1 ? Math.max(0, held.length - delimiter.length + 1) : end
      if (sure > 0) yield held.subarray(0, sure)
      held = held.subarray(sure)
      if (end !== -1) return
      if (!(await more())) throw noFile('ended in the middle of the file')
    }
  }

  while (true) {
    for await (const _ of partContent()) {
      // What stands before the first part, or a field that is no file.
    }
    while (held.indexOf(BLANK_LINE) === -1) {
      if (held.subarray(delimiter.length).toString('latin1').startsWith('--'))
        throw noFile('has none')
      if (held.length > MOST_HEADER_BYTES || !(await more())) throw noFile('has none')
    }
    const end = held.indexOf(BLANK_LINE)
    const headers = held.subarray(delimiter.length, end).toString('utf8')
    held = held.subarray(end + CRLF.length)
    const name = /^content-disposition:.*?;\s*filename="([^"]*)"/im.exec(headers)?.[1]
    if (name === undefined) continue
    if (name === '') throw noFile('has none')
    // The line that ends the headers is part of what a delimiter may begin with.
    held = held.subarray(CRLF.length)
    return { name: name.replace(/%22/g, '"'), content: partContent() }
  }
}

function noFile(found: string): ProblemError {
  return new ProblemError(422, {
    code: 'no_file',
    detail: `What was sent ${found}; expected a file.`,
    hint: 'Choose a file first.',
  })
}
