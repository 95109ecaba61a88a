import type { TextSink } from '../client/text-sink.ts'

/** An answer that is written piece by piece, as fast as it is read. */
export function streamedText(
  { type, fileName }: { readonly type: string; readonly fileName: string },
  write: (sink: TextSink) => Promise<void>,
): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, {
    highWaterMark: 1,
  })
  const writer = writable.getWriter()
  // The answer has begun: a failure breaks it off, so that nobody takes a part for the whole.
  write({
    write: async (text) => {
      await writer.ready
      await writer.write(Buffer.from(text))
    },
    finish: async () => undefined,
    discard: async () => undefined,
  }).then(
    () => writer.close().catch(() => undefined),
    (error: unknown) => writer.abort(error).catch(() => undefined),
  )
  return new Response(readable, {
    headers: {
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    },
  })
}
