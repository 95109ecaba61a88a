/** What activities tell of the time they take; who sends it on is outside (workers/traces). */
import type { TracePlace } from '../../core/trace-place.ts'

/**
 * Words of short lists, numbers, ids of ours, and hosts: never an address, a cell, a name of a record or a secret. What
 * is null or undefined is left out.
 */
export type TraceAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>

export interface RootSpan {
  readonly name: string
  /** Without `spanId`: one of its own. */
  readonly place: Pick<TracePlace, 'traceId'> & Partial<TracePlace>
  readonly attributes: TraceAttributes
  /** Wall clock, ms since the epoch; default: now. */
  readonly startMs?: number
}

export interface Span {
  /** @param startMs wall clock, ms since the epoch; default: now */
  child(name: string, attributes: TraceAttributes, startMs?: number): Span
  set(attributes: TraceAttributes): void
  /** It has failed. The first code is kept. */
  fail(code: string): void
  /** It will be done again, and has not failed; what has failed stays so. */
  wait(code: string): void
  /** To be called once. */
  end(): void
}

export interface Tracer {
  /** Begins what stands under nothing. */
  root(root: RootSpan): Span
  /** Begins what stands under a span of another time or process. */
  under(parent: TracePlace, name: string, attributes: TraceAttributes): Span
}

/** Tells nobody. */
export const noSpan: Span = {
  child: () => noSpan,
  set: () => undefined,
  fail: () => undefined,
  wait: () => undefined,
  end: () => undefined,
}

/** Nobody wants traces. */
export const noTracer: Tracer = { root: () => noSpan, under: () => noSpan }
