import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type { ChangeCuts, Cuts, OrderRender, Render, Renders, UndoCuts } from './contract.ts'

export const getCuts = call('GET', '/api/transcriptions/:id/cuts').carries<{ answer: Cuts }>()

export const changeCuts = call('POST', '/api/transcriptions/:id/cuts').carries<{
  body: z.input<typeof ChangeCuts>
  answer: Cuts
}>()

export const undoCuts = call('POST', '/api/transcriptions/:id/cuts/undo').carries<{
  query: z.input<typeof UndoCuts>
  answer: Cuts
}>()

export const listRenders = call('GET', '/api/transcriptions/:id/renders').carries<{
  answer: Renders
}>()

export const orderRender = call('POST', '/api/transcriptions/:id/renders').carries<{
  body: z.input<typeof OrderRender>
  answer: Render
}>()

export const getRender = call('GET', '/api/transcriptions/:id/renders/:renderId').carries<{
  answer: Render
}>()

export const removeRender = call('DELETE', '/api/transcriptions/:id/renders/:renderId').carries<{
  answer: { message: string }
}>()

export const getRenderFile = call('GET', '/api/transcriptions/:id/renders/:renderId/file').carries<{
  query: { download?: '0' | '1' }
}>()
