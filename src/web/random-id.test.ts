import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'

import { randomId } from './random-id.ts'

afterEach(() => vi.unstubAllGlobals())

test('a page without https has random ids too, each another one', () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto)
  vi.stubGlobal('crypto', { getRandomValues })
  const ids = Array.from({ length: 200 }, randomId)
  expect(new Set(ids).size).toBe(200)
  for (const id of ids) expect(z.uuidv4().parse(id)).toBe(id)
})
