import type { z } from 'zod'

import type { Chapters } from '#features/transcriptions/contract.ts'
import { call } from '#shared/call.ts'

import type { SetChapters } from './contract.ts'

export const setChapters = call('PUT', '/api/transcriptions/:id/chapters').carries<{
  body: z.input<typeof SetChapters>
  answer: Chapters
}>()

export const findChapters = call('POST', '/api/transcriptions/:id/chapters/find').carries<{
  answer: Chapters
}>()
