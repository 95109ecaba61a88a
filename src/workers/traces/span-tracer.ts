/** The tracer of activities on OpenTelemetry's API. */
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer as OtelTracer,
} from '@opentelemetry/api'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'
import type { Span, TraceAttributes, Tracer } from '../../activities/traces/tracer.ts'
import type { TracePlace } from '../../core/trace-place.ts'

/** Random ids, but for the span that is begun meanwhile. */
export interface GivenIds extends IdGenerator {
  during<T>(place: Partial<TracePlace>, begin: () => T): T
}

export function createGivenIds(): GivenIds {
  const random = new RandomIdGenerator()
  let given: Partial<TracePlace> = {}
  return {
    generateTraceId: () => given.traceId ?? random.generateTraceId(),
    generateSpanId: () => given.spanId ?? random.generateSpanId(),
    during(place, begin) {
      given = place
      try {
        return begin()
      } finally {
        given = {}
      }
    },
  }
}

export function createSpanTracer(tracer: OtelTracer, ids: GivenIds): Tracer {
  return {
    root: ({ name, place, attributes, startMs }) =>
      ids.during(place, () =>
        wrapped(
          tracer,
          tracer.startSpan(
            name,
            { attributes: known(attributes), root: true, ...startTime(startMs) },
            ROOT_CONTEXT,
          ),
        ),
      ),
    under(parent, name, attributes) {
      const context = trace.setSpanContext(ROOT_CONTEXT, {
        ...parent,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: true,
      })
      return wrapped(tracer, tracer.startSpan(name, { attributes: known(attributes) }, context))
    },
  }
}

function wrapped(tracer: OtelTracer, span: OtelSpan): Span {
  let hasFailed = false
  return {
    child: (name, attributes, startMs) =>
      wrapped(
        tracer,
        tracer.startSpan(
          name,
          {
            attributes: known(attributes),
            kind: name === 'http.request' ? SpanKind.CLIENT : SpanKind.INTERNAL,
            ...startTime(startMs),
          },
          trace.setSpan(ROOT_CONTEXT, span),
        ),
      ),
    set: (attributes) => void span.setAttributes(known(attributes)),
    fail(code) {
      if (hasFailed) return
      hasFailed = true
      span.setStatus({ code: SpanStatusCode.ERROR, message: code })
      span.setAttribute('error.type', code)
    },
    wait(code) {
      if (!hasFailed) span.setAttribute('waits_for', code)
    },
    end: () => span.end(),
  }
}

function startTime(startMs: number | undefined): { startTime?: number } {
  return startMs === undefined ? {} : { startTime: startMs }
}

function known(attributes: TraceAttributes): Attributes {
  const entries = Object.entries(attributes).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(entries)
}
