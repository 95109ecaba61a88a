import { noTracer, type Tracer } from '../../activities/traces/tracer.ts'
import type { Logger } from '../../log.ts'

export interface Traces {
  readonly tracer: Tracer
  /** Sends what is left, as far as somebody takes it soon. */
  readonly close: () => Promise<void>
}

export interface TracesOptions {
  /** Of a receiver of OTLP over HTTP; undefined: nobody wants traces, and nothing of OpenTelemetry is loaded. */
  readonly endpoint: string | undefined
  /** Which worker it is. */
  readonly worker: string
  readonly version: string
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** What is left has so long to be taken at the end, ms; default 3,000. */
  readonly flushMs?: number
}

/** Opens what sends spans on. Where the packages are not installed it says so, and work goes on without. */
export async function openTraces(options: TracesOptions): Promise<Traces> {
  if (options.endpoint === undefined) return noTraces
  try {
    const { openOtlpTraces } = await import('./otlp-traces.ts')
    return openOtlpTraces({ ...options, endpoint: options.endpoint })
  } catch (error) {
    if (!isNotInstalled(error)) throw error
    options.log.warn(
      'Traces are wanted by OTEL_EXPORTER_OTLP_ENDPOINT, and the optional packages for them are not installed; work goes on without. Install them: npm ci --include=optional',
    )
    return noTraces
  }
}

const noTraces: Traces = { tracer: noTracer, close: () => Promise.resolve() }

function isNotInstalled(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND'
}
