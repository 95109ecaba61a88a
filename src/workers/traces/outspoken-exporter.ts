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
      exporter.export(spans, (result) => {
        // This exporter never fails without an error.
        if (result.error === undefined) taken()
        else failed(codeOf(result.error))
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    lost: () => failed('no answer in time'),
  }
}

function codeOf(error: Error): string {
  if (!('code' in error)) return error.name
  return typeof error.code === 'number' ? `HTTP ${error.code}` : String(error.code).slice(0, 40)
}
