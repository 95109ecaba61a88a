/** An attempt at a page of a source, or at the details of its items; all attempts at a page are in one trace. */
import { pageTraceId } from '../../core/trace-place.ts'
import type { PageKey } from '../../db/extract-pages.repo.ts'
import type { ExtractRun } from '../../db/extract-runs.repo.ts'
import { sha256Hex } from '../../db/sha256.ts'
import { inSpan } from './span-now.ts'
import { noSpan, noTracer, type Span, type TraceAttributes, type Tracer } from './tracer.ts'

export function inPageSpan<T>(
  tracer: Tracer,
  name: 'page' | 'details',
  { run, key, more }: PageAttempt,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (tracer === noTracer) return work(noSpan)
  const { type, position } = key
  const traceId = pageTraceId(run, key, sha256Hex)
  const root = {
    name,
    place: { traceId },
    attributes: { source: run.source, run: run.id, type, position, ...more },
  }
  return inSpan(tracer.root(root), work)
}

export interface PageAttempt {
  readonly run: ExtractRun
  readonly key: PageKey
  readonly more?: TraceAttributes
}
