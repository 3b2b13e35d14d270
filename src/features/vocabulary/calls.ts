import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type { SetVocabulary, Vocabulary } from './contract.ts'

export const getVocabulary = call('GET', '/api/vocabulary').carries<{ answer: Vocabulary }>()

export const setVocabulary = call('PUT', '/api/vocabulary').carries<{
  body: z.input<typeof SetVocabulary>
  answer: Vocabulary
}>()
