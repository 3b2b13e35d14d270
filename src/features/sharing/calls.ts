import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type { ChangeShare, MakeShare, Share, Shares } from './contract.ts'

export const makeShare = call('POST', '/api/transcriptions/:id/shares').carries<{
  body: z.input<typeof MakeShare>
  answer: Share
}>()

export const listSharesOfTranscription = call('GET', '/api/transcriptions/:id/shares').carries<{
  answer: Shares
}>()

export const listShares = call('GET', '/api/shares').carries<{ answer: Shares }>()

export const changeShare = call('PATCH', '/api/shares/:id').carries<{
  body: ChangeShare
  answer: Share
}>()

export const endShare = call('DELETE', '/api/shares/:id')
