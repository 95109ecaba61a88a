/** As much of S3 as a store of blobs needs, in this process: objects in memory, and every request as it came. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Request {
  readonly method: string
  /** Without the bucket. */
  readonly key: string
  /** Such as `?uploads`; blank: none. */
  readonly query: string
  readonly headers: IncomingMessage['headers']
}

export interface S3Stub {
  readonly endpoint: string
  readonly bucket: string
  readonly objects: Map<string, { body: Buffer; type: string | undefined; at: Date }>
  readonly requests: S3Request[]
  /** Begun in parts and neither ended nor given up: by id, by number. */
  readonly uploads: Map<string, Map<number, Buffer>>
  /** What it answers before it does anything; undefined: as usual. */
  refuse: (request: S3Request) => { readonly status: number; readonly code: string } | undefined
  readonly close: () => Promise<void>
}

/** Small, so that lists have several pages. */
const KEYS_PER_PAGE = 3

export async function startS3Stub(bucket = 'blobs'): Promise<S3Stub> {
  const objects: S3Stub['objects'] = new Map()
  const requests: S3Request[] = []
  const uploads: S3Stub['uploads'] = new Map()
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stub: S3Stub = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket,
    objects,
    requests,
    uploads,
    refuse: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return stub

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', stub.endpoint)
    const [, first, ...rest] = decodeURIComponent(url.pathname).split('/')
    const { method = '', headers } = request
    const query = url.search.replace(/[?&]x-id=\w+/, '')
    const told = { method, key: rest.join('/'), query, headers }
    requests.push(told)
    const body = await bodyOf(request)
    if (first !== bucket) return fail(response, 404, 'NoSuchBucket')
    const refused = stub.refuse(told)
    if (refused !== undefined) return fail(response, refused.status, refused.code)
    if (told.key === '') return list(url, response)
    const id = url.searchParams.get('uploadId')
    if (id !== null || url.searchParams.has('uploads')) return inParts(told, url, body, response)
    answer(told, body, response)
  }

  /** Of an upload in parts: begun, sent, ended, given up. */
  function inParts(told: S3Request, url: URL, body: Buffer, response: ServerResponse): void {
    const { method, key, headers } = told
    const id = url.searchParams.get('uploadId') ?? `upload-${uploads.size + 1}`
    const xml = (text: string) =>
      void response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?>${text}`)
    if (url.searchParams.has('uploads')) {
      uploads.set(id, new Map())
      return xml(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    const parts = uploads.get(id)
    if (parts === undefined) return fail(response, 404, 'NoSuchUpload')
    if (method === 'PUT') {
      const number = Number(url.searchParams.get('partNumber'))
      parts.set(number, body)
      return void response.writeHead(200, { etag: `"part-${number}"` }).end()
    }
    uploads.delete(id)
    if (method === 'DELETE') return void response.writeHead(204).end()
    if (headers['if-none-match'] === '*' && objects.has(key)) {
      return fail(response, 412, 'PreconditionFailed')
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)]
    const bytes = named.map(([, number]) => parts.get(Number(number)) ?? Buffer.alloc(0))
    objects.set(key, { body: Buffer.concat(bytes), type: undefined, at: new Date() })
    xml(`<CompleteMultipartUploadResult><ETag>"whole"</ETag></CompleteMultipartUploadResult>`)
  }

  function answer({ method, key, headers }: S3Request, body: Buffer, response: ServerResponse) {
    const object = objects.get(key)
    if (method === 'PUT') {
      if (headers['if-none-match'] === '*' && object !== undefined) {
        return fail(response, 412, 'PreconditionFailed')
      }
      objects.set(key, { body, type: headers['content-type'], at: new Date() })
      return void response.writeHead(200, { etag: '"stub"' }).end()
    }
    if (method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    if (object === undefined) return fail(response, 404, method === 'HEAD' ? '' : 'NoSuchKey')
    response.writeHead(200, {
      'content-length': object.body.length,
      'last-modified': object.at.toUTCString(),
    })
    response.end(method === 'HEAD' ? undefined : object.body)
  }

  function list(url: URL, response: ServerResponse): void {
    const prefix = url.searchParams.get('prefix') ?? ''
    const after = url.searchParams.get('continuation-token') ?? ''
    const keys = [...objects.keys()].sort().filter((key) => key.startsWith(prefix) && key > after)
    const page = keys.slice(0, KEYS_PER_PAGE)
    const last = keys.length > page.length ? page.at(-1) : undefined
    const contents = page.map((key) => {
      const { body, at } = objects.get(key) ?? { body: Buffer.alloc(0), at: new Date(0) }
      return `<Contents><Key>${key}</Key><Size>${body.length}</Size><LastModified>${at.toISOString()}</LastModified></Contents>`
    })
    response.writeHead(200, { 'content-type': 'application/xml' })
    response.end(
      `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><IsTruncated>${last !== undefined}</IsTruncated>${contents.join('')}${last === undefined ? '' : `<NextContinuationToken>${last}</NextContinuationToken>`}</ListBucketResult>`,
    )
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(
    code === ''
      ? undefined
      : `<?xml version="1.0"?><Error><Code>${code}</Code><Message>stub</Message></Error>`,
  )
}
