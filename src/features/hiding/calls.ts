import type { z } from 'zod'

import type { Done } from '#features/account/contract.ts'
import { call } from '#shared/call.ts'

import type { FindWords, FoundWords, Hidden, HiddenList, HideWords } from './contract.ts'

export const findWords = call('POST', '/api/transcriptions/:id/hidden/find').carries<{
  body: z.input<typeof FindWords>
  answer: FoundWords
}>()

export const hideWords = call('POST', '/api/transcriptions/:id/hidden').carries<{
  body: z.input<typeof HideWords>
  answer: Hidden
}>()

export const listHidden = call('GET', '/api/transcriptions/:id/hidden').carries<{
  answer: HiddenList
}>()

export const putBack = call('DELETE', '/api/transcriptions/:id/hidden/:hiddenId').carries<{
  answer: Done
}>()
