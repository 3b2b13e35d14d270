import type { z } from 'zod'

import type { Again, DecideAgain, DecidedAgain } from '#features/text/contract.ts'
import type {
  AgainQuote,
  AgainRun,
  AskAgain,
  AskSpeakers,
} from '#features/transcriptions/contract.ts'
import { call } from '#shared/call.ts'

export const transcribeAgain = call('POST', '/api/transcriptions/:id/again').carries<{
  body: z.input<typeof AskAgain>
  answer: AgainQuote
}>()

export const tellSpeakersApart = call('POST', '/api/transcriptions/:id/speakers').carries<{
  body: z.input<typeof AskSpeakers>
  answer: AgainRun
}>()

export const getAgain = call('GET', '/api/transcriptions/:id/again').carries<{ answer: Again }>()

export const decideAgain = call('POST', '/api/transcriptions/:id/again/decision').carries<{
  body: z.input<typeof DecideAgain>
  answer: DecidedAgain
}>()

export const goBack = call('POST', '/api/transcriptions/:id/again/back').carries<{
  answer: Again
}>()

export const dropEarlierText = call('DELETE', '/api/transcriptions/:id/again/earlier').carries<{
  answer: Again
}>()
