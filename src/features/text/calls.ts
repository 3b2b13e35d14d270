import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type {
  AcceptWords,
  Accuracy,
  AssignSpeaker,
  EditText,
  Edited,
  EngineAccuracy,
  MergeTurn,
  RenameSpeaker,
  ReplaceText,
  Replaced,
  Restore,
  SetTimes,
  SplitTurn,
  UndoEdit,
  Words,
} from './contract.ts'

export const getWords = call('GET', '/api/transcriptions/:id/words').carries<{ answer: Words }>()

export const editTurn = call('PATCH', '/api/transcriptions/:id/turns/:turnId').carries<{
  body: z.input<typeof EditText>
  answer: Edited
}>()

export const splitTurn = call('POST', '/api/transcriptions/:id/turns/:turnId/split').carries<{
  body: z.input<typeof SplitTurn>
  answer: Edited
}>()

export const mergeTurn = call('POST', '/api/transcriptions/:id/turns/:turnId/merge').carries<{
  body: z.input<typeof MergeTurn>
  answer: Edited
}>()

export const setTimes = call('PUT', '/api/transcriptions/:id/turns/:turnId/times').carries<{
  body: z.input<typeof SetTimes>
  answer: Edited
}>()

export const acceptWords = call('POST', '/api/transcriptions/:id/turns/:turnId/accept').carries<{
  body: z.input<typeof AcceptWords>
  answer: Edited
}>()

export const restoreTurn = call('POST', '/api/transcriptions/:id/turns/:turnId/restore').carries<{
  body: z.input<typeof Restore>
  answer: Edited
}>()

export const assignSpeaker = call('PUT', '/api/transcriptions/:id/turns/:turnId/speaker').carries<{
  body: z.input<typeof AssignSpeaker>
  answer: Edited
}>()

export const renameSpeaker = call('PATCH', '/api/transcriptions/:id/speakers/:speaker').carries<{
  body: z.input<typeof RenameSpeaker>
  answer: Edited
}>()

export const replaceText = call('POST', '/api/transcriptions/:id/replace').carries<{
  body: z.input<typeof ReplaceText>
  answer: Replaced
}>()

export const restoreText = call('POST', '/api/transcriptions/:id/restore').carries<{
  body: z.input<typeof Restore>
  answer: Edited
}>()

export const undoEdit = call('POST', '/api/transcriptions/:id/undo').carries<{
  body: z.input<typeof UndoEdit>
  answer: Edited
}>()

export const measureAccuracy = call('POST', '/api/transcriptions/:id/checked').carries<{
  answer: Accuracy
}>()

export const readAccuracy = call('GET', '/api/accuracy').carries<{ answer: EngineAccuracy[] }>()
