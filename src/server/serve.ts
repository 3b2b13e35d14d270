/**
 * Opens a call of the API (shared/call.ts) to the world: the route takes its method and its path, and
 * schemas that do not fit what the call carries do not compile.
 */
import type {
  FastifyInstance,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteShorthandOptions,
  FastifyBaseLogger,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'

import type { AnswerOf, BodyOf, Call, ParamsOf, QueryOf } from '#shared/call.ts'

type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

type Options<Schema extends FastifySchema> = RouteShorthandOptions<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  unknown,
  Schema,
  ZodTypeProvider
>
type Handler<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  unknown,
  Schema,
  ZodTypeProvider
>

export function serve<const C extends Call, const Schema extends FastifySchema>(
  app: App,
  call: C,
  options: Omit<Options<Schema>, 'schema'> & { schema: Schema & Fitting<C, Schema> },
  handler: Handler<Schema>,
): void {
  app.route({
    ...(options as Options<Schema>),
    method: call.method,
    url: call.path,
    handler,
  })
}

/** The schemas that fit a call; one that does not fit, or is missing, gets a type that says why. */
type Fitting<C extends Call, Schema> = (unknown extends ParamsOf<C['path']>
  ? unknown
  : {
      params: ParamsOf<C['path']> extends In<Schema, 'params'>
        ? unknown
        : 'other parts than in the path'
    }) &
  (QueryOf<C> extends undefined
    ? unknown
    : {
        querystring: keyof QueryOf<C> extends keyof In<Schema, 'querystring'>
          ? unknown
          : 'not all that the query has'
      }) &
  (BodyOf<C> extends undefined
    ? unknown
    : { body: BodyOf<C> extends In<Schema, 'body'> ? unknown : 'not all bodies of the call' }) &
  (unknown extends AnswerOf<C>
    ? unknown
    : {
        response: SuccessOf<Schema> extends AnswerOf<C>
          ? unknown
          : 'another answer than the call has'
      })

/** What a schema takes; a route without one takes nothing. */
type In<Schema, Name extends string> = Name extends keyof Schema
  ? Schema[Name] extends z.ZodType
    ? z.input<Schema[Name]>
    : unknown
  : undefined

type SuccessOf<Schema> = Schema extends { response: infer Answers }
  ? Answers[keyof Answers & (200 | 201 | 202)] extends infer Answer extends z.ZodType
    ? z.output<Answer>
    : unknown
  : unknown
