/**
 * Sends spans by OTLP over HTTP, in batches and beside the work: what nobody takes is dropped. The exporter itself reads
 * OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS and its other variables.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { outspokenExporter } from './outspoken-exporter.ts'
import type { Traces, TracesOptions } from './open-traces.ts'
import { createGivenIds, createSpanTracer } from './span-tracer.ts'

/** A worker ends no later than this because of a receiver that does not answer, ms. */
const LONGEST_FLUSH_MS = 3_000

export function openOtlpTraces(options: TracesOptions & { readonly endpoint: string }): Traces {
  const { endpoint, worker, version, log, flushMs = LONGEST_FLUSH_MS } = options
  const ids = createGivenIds()
  const exporter = outspokenExporter(new OTLPTraceExporter(), { host: new URL(endpoint).host, log })
  const ours = resourceFromAttributes({
    'service.name': 'record-linker',
    'service.version': version,
    'service.instance.id': worker,
  })
  const provider = new TracerProvider({
    // What the environment says stands above.
    resource: ours.merge(detectResources({ detectors: [envDetector] })),
    idGenerator: ids,
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  return {
    tracer: createSpanTracer(provider.getTracer('record-linker', version), ids),
    async close() {
      const closed = provider.shutdown().catch(() => undefined) // Said by the exporter.
      const late = sleep(flushMs, 'late' as const, { ref: false })
      if ((await Promise.race([closed, late])) === 'late') exporter.lost()
    },
  }
}
