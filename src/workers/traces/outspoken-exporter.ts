import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Logger } from '../../log.ts'

export interface OutspokenExporter extends SpanExporter {
  /** Some were not taken in time. */
  lost(): void
}

/**
 * Says once that nobody takes the spans, and once that somebody does again. Errors of an exporter can repeat what it was
 * answered and what it sends, headers included: only a code is told.
 * @param host of the receiver
 */
export function outspokenExporter(
  exporter: SpanExporter,
  { host, log }: { readonly host: string; readonly log: Pick<Logger, 'info' | 'warn'> },
): OutspokenExporter {
  let isFailing = false
  const failed = (code: string): void => {
    if (!isFailing) {
      log.warn(`Traces are not taken by ${host} (${code}), and are dropped; work goes on.`)
    }
    isFailing = true
  }
  const taken = (): void => {
    if (isFailing) log.info(`Traces are taken by ${host} again.`)
    isFailing = false
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ code, error }) => {
        if (code === SUCCESS) taken()
        else failed(codeOf(error))
        // It has been said; the SDK would say it each time.
        done({ code: SUCCESS })
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    lost: () => failed('no answer in time'),
  }
}

/** `ExportResultCode.SUCCESS` of @opentelemetry/core. */
const SUCCESS = 0

function codeOf(error: Error | undefined): string {
  if (error === undefined || !('code' in error)) return error?.name ?? 'no answer'
  return typeof error.code === 'number' ? `HTTP ${error.code}` : String(error.code).slice(0, 40)
}
