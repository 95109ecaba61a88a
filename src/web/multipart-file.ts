/** The file of a form (RFC 7578), read as it comes: a file may be larger than memory. */
import { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { ProblemError } from './problem.ts'

export interface SentFile {
  /** As the browser names it. */
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
}

/**
 * The first file of a form; fields and further files are left out.
 * @throws ProblemError `no_file`; reading the content throws it too, when the form ends before the file does
 */
export async function multipartFile(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<SentFile> {
  const parser = parserFor(contentType)
  const source = Readable.from(body)
  let file: Readable | undefined
  try {
    return await new Promise<SentFile>((resolve, reject) => {
      parser.on('file', (_field, content, name) => {
        // What is cut off is told before anybody reads it; only destroyed it does not count as whole.
        content.on('error', (error: Error) => content.destroy(error))
        file = content
        // A form whose file was not chosen names an empty one.
        if (name === '' || name === undefined) content.resume()
        else resolve({ name: name.replaceAll('%22', '"'), content: whole(content) })
      })
      parser.once('finish', () => reject(noFile('has none')))
      parser.on('error', () => reject(noFile('ended too early')))
      source.on('error', (error) => {
        file?.destroy(error)
        reject(error)
      })
      source.pipe(parser)
    })
  } catch (error) {
    source.destroy()
    throw error
  }
}

function parserFor(contentType: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits: { files: 1 } })
  } catch {
    throw noFile('is no form with a file')
  }
}

async function* whole(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch {
    throw noFile('ended in the middle of the file')
  }
}

function noFile(found: string): ProblemError {
  return new ProblemError(422, {
    code: 'no_file',
    detail: `What was sent ${found}; expected a file.`,
    hint: 'Choose a file first.',
  })
}
