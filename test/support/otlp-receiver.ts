/**
 * Takes traces by OTLP over HTTP on a real loopback port, as a collector does.
 *
 *   const receiver = await startOtlpReceiver()
 *   receiver.url                        // for OTEL_EXPORTER_OTLP_ENDPOINT
 *   receiver.spans('artifact')          // what came, with attributes as a plain object
 *   receiver.answerWith('silence')      // takes the request, and never answers
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Absent: it stands under nothing. */
  readonly parentSpanId?: string | undefined
  /** 1 internal, 3 client. */
  readonly kind: number
  /** 2: an error. */
  readonly status: { readonly code: number; readonly message?: string | undefined }
  readonly startNs: bigint
  readonly endNs: bigint
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface OtlpReceiver {
  readonly url: string
  spans(name?: string): readonly ReceivedSpan[]
  /** Of the programs that sent. */
  resources(): readonly Readonly<Record<string, unknown>>[]
  /** All that came, as it came. */
  text(): string
  headers(): readonly IncomingHttpHeaders[]
  answerWith(status: number | 'silence'): void
  close(): Promise<void>
}

const value = z
  .object({
    stringValue: z.string(),
    boolValue: z.boolean(),
    doubleValue: z.number(),
    intValue: z.union([z.number(), z.string().transform(Number)]),
  })
  .partial()
  .transform((one) => Object.values(one)[0])
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .default([])
  .transform((all) => Object.fromEntries(all.map((one) => [one.key, one.value] as const)))
const nanoseconds = z.string().transform(BigInt)
const span = z.object({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  kind: z.number(),
  status: z.object({ code: z.number(), message: z.string().optional() }),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
})
const body = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
})

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const texts: string[] = []
  const headers: IncomingHttpHeaders[] = []
  let answer: number | 'silence' = 200
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      texts.push(text)
      headers.push(request.headers)
      if (answer === 'silence') return
      response.writeHead(answer, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port
  const { port } = server.address() as AddressInfo
  const received = () => texts.flatMap((text) => body.parse(JSON.parse(text)).resourceSpans)
  return {
    url: `http://127.0.0.1:${port}`,
    spans: (name) =>
      received()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .filter((one) => name === undefined || one.name === name)
        .map(({ startTimeUnixNano: startNs, endTimeUnixNano: endNs, ...rest }) => ({
          ...rest,
          startNs,
          endNs,
        })),
    resources: () => received().map(({ resource }) => resource.attributes),
    text: () => texts.join('\n'),
    headers: () => headers,
    answerWith: (next) => void (answer = next),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
