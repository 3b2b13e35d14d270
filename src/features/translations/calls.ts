import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type { OrderTranslation, Translation, TranslationText } from './contract.ts'

export const listTranslations = call('GET', '/api/transcriptions/:id/translations').carries<{
  answer: Translation[]
}>()

export const orderTranslation = call('POST', '/api/transcriptions/:id/translations').carries<{
  body: z.input<typeof OrderTranslation>
  answer: Translation
}>()

export const getTranslation = call(
  'GET',
  '/api/transcriptions/:id/translations/:language',
).carries<{ answer: TranslationText }>()

export const translateChanges = call(
  'POST',
  '/api/transcriptions/:id/translations/:language/again',
).carries<{ answer: Translation }>()

export const deleteTranslation = call('DELETE', '/api/transcriptions/:id/translations/:language')
