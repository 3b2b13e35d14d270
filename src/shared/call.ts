/**
 * A call of the HTTP API as one value, which server and browser share: the method and the path, and as
 * types what goes along in the query and in the body, and what comes back. Each room lists its calls in
 * `calls.ts`. The server opens a call with `serve` (server/serve.ts), which refuses schemas that do not
 * fit these types; the browser makes it with `ask` (web/api.ts). So neither side can believe something
 * about the other that does not hold.
 */

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** What a call carries beside its path. What is not named is not there. */
interface Carried {
  query?: object
  body?: unknown
  /** The JSON of a success. */
  answer?: unknown
}

export interface Call<Path extends string = string, Carries extends Carried = Carried> {
  readonly method: Method
  /** With a `:name` for each part that is put in: /api/transcriptions/:id */
  readonly path: Path
  /** Only a type: there is nothing at run time. */
  readonly types?: Carries
}

/** The parts that are put into a path: { id: string } for /api/transcriptions/:id */
export type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<NameOf<Name>, string> & ParamsOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<NameOf<Name>, string>
    : unknown

/** `:id.ics` is the parameter `id`. */
type NameOf<Part extends string> = Part extends `${infer Name}.${string}` ? Name : Part

export type QueryOf<C> = C extends Call<string, infer Carries> ? Field<Carries, 'query'> : never
export type BodyOf<C> = C extends Call<string, infer Carries> ? Field<Carries, 'body'> : never
/** Unknown where nobody reads it. */
export type AnswerOf<C> =
  C extends Call<string, infer Carries>
    ? Carries extends { answer: infer Answer }
      ? Answer
      : unknown
    : never

type Field<Carries, Name extends 'query' | 'body'> = Name extends keyof Carries
  ? Carries[Name]
  : undefined

/**
 * Declares a call: `call('POST', '/api/things/:id').carries<{ body: AddThing; answer: Thing }>()`.
 * Without `carries` it has neither query nor body, and its answer is a file or is not read.
 */
export const call = <const Path extends string>(method: Method, path: Path) => {
  const bare: Call<Path, object> = { method, path }
  return {
    ...bare,
    carries: <Carries extends Carried>(): Call<Path, Carries> => ({ method, path }),
  }
}

/** The values of a query by name; each of a list has its own, and what is undefined or null is left out. */
type QueryValues = Record<string, QueryValue | readonly QueryValue[] | null | undefined>
type QueryValue = string | number | boolean

/** The address of a call with its parts put in, encoded: what the browser asks, and a query key. */
export function addressOf(
  { path }: Call,
  { params = {}, query = {} }: { params?: object; query?: object } = {},
): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(params, name))),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query as QueryValues))
    for (const each of [value ?? []].flat()) search.append(name, String(each))
  return search.size > 0 ? `${filled}?${search.toString()}` : filled
}
