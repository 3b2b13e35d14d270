/**
 * Traces: a span for each request, each delivery of a job, and each stage of its work. Here is
 * OpenTelemetry's API alone, which does nothing until an operator brings an SDK by `--import`.
 * Attributes are ids, patterns of routes and names of ours. An error gives its kind and no message,
 * because messages can quote what a user wrote.
 */
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const tracer = trace.getTracer('quoth')

/** Does the work in a span of its own, which is the parent of the spans inside. */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work()
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
      throw error
    } finally {
      span.end()
    }
  })
}

/** A span of work that is over. */
export function pastSpan(name: string, startTime: number, attributes: Attributes = {}): void {
  tracer.startSpan(name, { startTime, attributes }).end()
}

/** To be added before every other hook. */
export function traceRequests(app: FastifyInstance): void {
  const traced = new WeakMap<FastifyRequest, { span: Span; inside: Context }>()

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, url: route = 'none' } = request.routeOptions
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      requestId: request.id,
    }
    const outside = propagation.extract(context.active(), request.headers)
    const options = { kind: SpanKind.SERVER, attributes }
    const span = tracer.startSpan(`${String(method ?? request.method)} ${route}`, options, outside)
    if (!isSpanContextValid(span.spanContext())) return done()
    const inside = trace.setSpan(outside, span)
    traced.set(request, { span, inside })
    context.with(inside, done)
  })
  // The body was read by events of the connection, which know nothing of the request's context.
  app.addHook('preHandler', (request, _reply, done) => {
    context.with(traced.get(request)?.inside ?? context.active(), done)
  })
  const end = (request: FastifyRequest, status?: number) => {
    const span = traced.get(request)?.span
    if (!span) return
    traced.delete(request)
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  }
  app.addHook('onResponse', async (request, reply) => end(request, reply.statusCode))
  app.addHook('onRequestAbort', async (request) => end(request))
}
