/**
 * The API as an OpenAPI document. The file is the server's answer at /api/openapi.json: a test
 * compares the two, and `npx vitest run src/features/developers/openapi.test.ts -u` writes it anew.
 */
import document from './openapi.json' with { type: 'json' }

export interface Schema {
  type?: string | string[]
  enum?: string[]
  default?: unknown
  format?: string
  description?: string
  items?: Schema
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface Answer {
  description: string
  headers?: Record<string, { description?: string }>
}

interface Described {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, Answer>
  security: { bearer: string[] }[]
}

export interface Operation extends Described {
  method: string
  path: string
  /** The good answer; the others are errors. */
  answer: Answer & { status: string }
  /** The rights that a key needs for it; none where anybody may make it. */
  scopes: string
}

const { paths, tags, components } = document as unknown as {
  paths: Record<string, Record<string, Described>>
  tags: { name: string }[]
  components: {
    headers: Record<string, { description: string }>
    schemas: Record<string, Schema>
  }
}
export const { headers, schemas } = components

const calls = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]): Operation => {
    const [[status, answer]] = Object.entries(described.responses) as [[string, Answer]]
    const scopes = described.security.flatMap(({ bearer }) => bearer).join(' and ')
    return {
      ...described,
      method: method.toUpperCase(),
      path,
      answer: { status, ...answer },
      scopes,
    }
  }),
)

/** Group by group, in the order of the document. */
export const operations = tags.flatMap(({ name }) => calls.filter((each) => each.tags[0] === name))

export function operationOf(id: string): Operation {
  const found = operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`${id} is no operation of the API`)
  return found
}
