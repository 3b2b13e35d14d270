import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type { ChangeCuts, Cuts } from './contract.ts'

export const getCuts = call('GET', '/api/transcriptions/:id/cuts').carries<{ answer: Cuts }>()

export const changeCuts = call('POST', '/api/transcriptions/:id/cuts').carries<{
  body: z.input<typeof ChangeCuts>
  answer: Cuts
}>()

export const undoCuts = call('POST', '/api/transcriptions/:id/cuts/undo').carries<{
  answer: Cuts
}>()
