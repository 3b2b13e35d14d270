import { call } from '#shared/call.ts'

import type { ActionItem, AddAction, ChangeAction } from './contract.ts'

export const addActionItem = call('POST', '/api/transcriptions/:id/action-items').carries<{
  body: AddAction
  answer: ActionItem
}>()

export const changeActionItem = call(
  'PATCH',
  '/api/transcriptions/:id/action-items/:itemId',
).carries<{ body: ChangeAction; answer: ActionItem }>()

export const deleteActionItem = call('DELETE', '/api/transcriptions/:id/action-items/:itemId')

export const undeleteActionItem = call(
  'POST',
  '/api/transcriptions/:id/action-items/:itemId/undelete',
).carries<{ answer: ActionItem }>()

export const downloadActionItems = call('GET', '/api/transcriptions/:id/action-items.ics')
