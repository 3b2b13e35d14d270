/** The door to what somebody is to do. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { Done } from '#features/account/contract.ts'
import { userOf } from '#features/account/session-hook.ts'
import { file } from '#server/api-schema.ts'
import type { Db } from '#server/db.ts'
import { sendFile } from '#server/send.ts'
import { serve } from '#server/serve.ts'
import type { Clock } from '#shared/clock.ts'
import { calendarFileName, titleOf } from '#shared/file-names.ts'

import * as actionItems from './action-items.ts'
import { calendarOf } from './calendar.ts'
import * as calls from './calls.ts'
import { ActionItem, AddAction, ChangeAction } from './contract.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })
const OfItem = Id.extend({ itemId: z.uuid().describe('The action item.') })

export const actionRoutes: FastifyPluginAsyncZod<{ db: Db; clock: Clock }> = async (app, deps) => {
  serve(
    app,
    calls.addActionItem,
    {
      config: { idempotency: 'once' },
      schema: {
        operationId: 'addActionItem',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Add an action item',
        refusals: ['not_finished', 'too_many_action_items'],
        params: Id,
        body: AddAction,
        response: { 200: ActionItem.describe('The new action item.') },
      },
    },
    async (request) =>
      actionItems.add(deps, { userId: userOf(request).id, ...request.params, ...request.body }),
  )

  serve(
    app,
    calls.changeActionItem,
    {
      schema: {
        operationId: 'changeActionItem',
        tags: ['Results'],
        scopes: ['read', 'write'],
        summary: 'Tick or change an action item',
        description:
          'What is left out stays. A better summary or “Transcribe again” finds action items anew, and leaves what was ticked, changed or added as it is.',
        refusals: ['not_finished'],
        params: OfItem,
        body: ChangeAction,
        response: { 200: ActionItem.describe('The action item as it is now.') },
      },
    },
    async (request) =>
      actionItems.set(deps, { userId: userOf(request).id, ...request.params, ...request.body }),
  )

  serve(
    app,
    calls.deleteActionItem,
    {
      schema: {
        operationId: 'deleteActionItem',
        tags: ['Results'],
        scopes: ['write'],
        summary: 'Delete an action item',
        refusals: ['not_finished'],
        params: OfItem,
        response: { 200: Done.describe('It is deleted.') },
      },
    },
    async (request) => {
      await actionItems.remove(deps, { userId: userOf(request).id, ...request.params })
      return { message: 'The action item is deleted.' }
    },
  )

  serve(
    app,
    calls.undeleteActionItem,
    { schema: { params: OfItem, response: { 200: ActionItem } } },
    async (request) =>
      actionItems.bringBack(deps, { userId: userOf(request).id, ...request.params }),
  )

  serve(
    app,
    calls.downloadActionItems,
    {
      schema: {
        operationId: 'downloadActionItems',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'The action items as a calendar file',
        description:
          'Each is a task (VTODO). An open one with a day is an event of that day too (VEVENT), because some calendars read no tasks.',
        refusals: ['not_finished', 'no_action_items'],
        params: Id,
        response: { 200: file('The file.', 'text/calendar') },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const { originalName, items } = await actionItems.list(deps, owned)
      const text = calendarOf({ title: titleOf(originalName), items, now: deps.clock() })
      return sendFile(reply, {
        name: calendarFileName(originalName),
        type: 'text/calendar; charset=utf-8',
        content: new TextEncoder().encode(text),
      })
    },
  )
}
