import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { multipartFile } from '../../../src/web/multipart-file.ts'

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** The body of a form as the platform itself writes it. */
async function sent(fill: (form: FormData) => void) {
  const form = new FormData()
  fill(form)
  const request = new Request('http://localhost/', { method: 'POST', body: form })
  return {
    body: new Uint8Array(await request.arrayBuffer()),
    type: request.headers.get('Content-Type') ?? '',
  }
}

async function read(body: Uint8Array, type: string, size: number) {
  const { name, content } = await multipartFile(inPieces(body, size), type)
  const parts: Uint8Array[] = []
  for await (const part of content) parts.push(part)
  return { name, content: Buffer.concat(parts) }
}

it('gives back each file as it was, in whatever pieces it comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 300 }),
      fc.integer({ min: 1, max: 400 }),
      async (bytes, size) => {
        const { body, type } = await sent((form) => {
          form.set('before', 'a field')
          form.set('file', new Blob([bytes]), 'shops "ä".csv')
          form.set('behind', 'another')
        })
        const file = await read(body, type, size)
        expect(file.name).toBe('shops "ä".csv')
        expect([...file.content]).toEqual([...bytes])
      },
    ),
  )
})

it('is not misled by what looks like the begin of a boundary', async () => {
  const { type } = await sent((form) => form.set('file', new Blob(['x']), 'x'))
  const boundary = /boundary=(\S+)/.exec(type)?.[1] ?? ''
  const tricky = `\r\n--${boundary.slice(0, -1)}\r\n\r\n--\r\n`
  const body = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${tricky}\r\n--${boundary}--\r\n`,
  )
  for (const size of [1, 7, 1_000]) {
    expect((await read(body, type, size)).content.toString()).toBe(tricky)
  }
})

it('tells of a form that is cut off also who reads it later, and whose file was not chosen', async () => {
  const { body, type } = await sent((form) => form.set('file', new Blob(['a,b\n1,2\n']), 'x.csv'))
  const late = await multipartFile(inPieces(body.subarray(0, -30), 1_000), type)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const read = async () => {
    for await (const _ of late.content) {
      // What comes before the end is no use to anybody.
    }
  }
  await expect(read()).rejects.toThrow('ended in the middle of the file')
  const none = await sent((form) => form.set('file', new Blob(['']), ''))
  await expect(multipartFile(inPieces(none.body.subarray(0, -10), 9), none.type)).rejects.toThrow(
    'expected a file',
  )
})

it('ends with the connection of who sends it', async () => {
  const { body, type } = await sent((form) => form.set('file', new Blob(['a,b\n1,2\n']), 'x.csv'))
  async function* broken() {
    yield body.subarray(0, -30)
    await new Promise((resolve) => setTimeout(resolve, 20))
    throw new Error('reset')
  }
  const { content } = await multipartFile(broken(), type)
  const read = async () => {
    for await (const _ of content) {
      // As above.
    }
  }
  await expect(read()).rejects.toThrow('ended in the middle of the file')
})

it('says so when there is no file, or only the first part of one', async () => {
  const none = await sent((form) => form.set('name', 'value'))
  await expect(read(none.body, none.type, 10)).rejects.toThrow('expected a file')
  await expect(read(none.body, 'text/csv', 10)).rejects.toThrow('is no form with a file')
  const cut = await sent((form) => form.set('file', new Blob(['a,b\n1,2\n']), 'x.csv'))
  await expect(read(cut.body.subarray(0, -30), cut.type, 10)).rejects.toThrow(
    'ended in the middle of the file',
  )
})
