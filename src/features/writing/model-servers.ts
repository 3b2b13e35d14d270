/**
 * The facts that Ollama and llama.cpp's server tell about themselves, beside the chat that they share
 * with others: their models, and how much they read at once. Ollama cuts off the rest, and does not
 * say so in its answer.
 */
import { z } from 'zod'

import { boundedFetch } from './model-fetch.ts'

/** Where they listen unless they are told otherwise. */
export const OLLAMA = 'http://127.0.0.1:11434'
export const LLAMA_CPP = 'http://127.0.0.1:8080'

const PATIENCE_MS = 2_000

const Models = z.object({ models: z.array(z.object({ name: z.string(), size: z.number() })) })
const Loaded = z.object({
  models: z.array(z.object({ name: z.string(), context_length: z.int().positive() })),
})
const Props = z.object({ default_generation_settings: z.object({ n_ctx: z.int().positive() }) })

/** Null where no server answers, or another kind of server does. */
async function ask<T>(url: string, shape: z.ZodType<T>): Promise<T | null> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await boundedFetch(url, { signal })
    return response.ok ? (shape.safeParse(await response.json()).data ?? null) : null
  } catch {
    return null
  }
}

/** The models of an Ollama; null where there is none. */
export async function modelsOfOllama(
  origin: string,
): Promise<{ name: string; bytes: number }[] | null> {
  const answer = await ask(`${origin}/api/tags`, Models)
  return answer && answer.models.map(({ name, size: bytes }) => ({ name, bytes }))
}

/** How much llama.cpp's server reads and writes at once; null where there is none. */
export async function contextOfLlamaCpp(origin: string): Promise<number | null> {
  const answer = await ask(`${origin}/props`, Props)
  return answer && answer.default_generation_settings.n_ctx
}

/** How much of a model that is loaded its server reads and writes at once; null where it cannot be told. */
export async function contextOf({
  baseUrl,
  model,
}: {
  baseUrl: string
  model: string
}): Promise<{ server: string; tokens: number } | null> {
  const { origin } = new URL(baseUrl)
  const loaded = await ask(`${origin}/api/ps`, Loaded)
  const ours = loaded?.models.find(({ name }) => name === model || name === `${model}:latest`)
  if (ours) return { server: 'Ollama', tokens: ours.context_length }
  const tokens = loaded ? null : await contextOfLlamaCpp(origin)
  return tokens === null ? null : { server: 'llama.cpp', tokens }
}
