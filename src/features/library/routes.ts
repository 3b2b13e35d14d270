/** The HTTP door of the library: the list and its search, tags, and changes of many at once. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import { type UserThreads } from '#features/text/user-threads.ts'
import * as ofTranscriptions from '#features/transcriptions/calls.ts'
import {
  BroughtBack,
  ChangeRecording,
  Deleted,
  DeletedMany,
  TranscriptionRow,
} from '#features/transcriptions/contract.ts'
import { isInSight } from '#features/transcriptions/ready.ts'
import type { LibraryRow } from '#features/transcriptions/results.ts'
import type * as transcriptions from '#features/transcriptions/transcriptions.ts'
import { whileConnected } from '#server/request-body.ts'
import { serve } from '#server/serve.ts'

import {
  Ids,
  IdsQuery,
  KnownSpeakers,
  ListQuery,
  Many,
  NameTag,
  SetTags,
  SpeakersQuery,
  TagMany,
  Tags,
} from './contract.ts'
import * as calls from './calls.ts'
import * as deleting from './deleting.ts'
import { task } from './in-thread.ts'
import * as library from './library.ts'
import * as tags from './tags.ts'

const Id = z.object({ id: z.string().describe('The transcription.') })
const TagId = z.object({ id: z.string().describe('The tag.') })

/** Which of a user's transcriptions others can read by a link: a later room knows it. */
export type SharedAmong = (asked: {
  userId: string
  ids: readonly string[]
}) => Promise<ReadonlySet<string>>

export const libraryRoutes: FastifyPluginAsyncZod<
  transcriptions.Deps & { userThreads: UserThreads; sharedAmong: SharedAmong }
> = async (app, deps) => {
  const { db, userThreads } = deps

  async function withShares(userId: string, rows: LibraryRow[]): Promise<TranscriptionRow[]> {
    // Only a text can be shared. Lists of what runs are polled, and cost nothing more.
    const ids = rows.filter(({ status }) => status === 'completed').map(({ id }) => id)
    const shared = ids.length > 0 ? await deps.sharedAmong({ userId, ids }) : new Set<string>()
    return rows.map((row) => ({ ...row, isShared: shared.has(row.id) }))
  }

  async function rowOf(owned: { userId: string; id: string }): Promise<TranscriptionRow> {
    const found = await library.row(deps, owned)
    const [row = { ...found, isShared: false }] = await withShares(owned.userId, [found])
    return row
  }

  serve(
    app,
    calls.listTranscriptions,
    {
      schema: {
        operationId: 'listTranscriptions',
        tags: ['Transcriptions'],
        scopes: ['read'],
        summary: 'List and search transcriptions',
        description:
          'Newest first, without the long texts. With q it searches names, tags and everything that was said.',
        answerHeaders: {
          'X-Total-Count': 'How many there are in all.',
          'X-Total-Places': 'In a search: in how many turns it was said.',
          'X-Next-Cursor': 'The cursor of the next page, while there is one.',
          Link: 'The next page, as rel="next".',
        },
        querystring: ListQuery,
        response: { 200: z.array(TranscriptionRow).describe('A page of the list.') },
      },
    },
    async (request, reply) => {
      const { cursor: _cursor, offset: _offset, ...asked } = request.query
      const { id: userId } = userOf(request)
      const mine = { userId, ...request.query }
      // Looking for words goes through whole turns.
      const { rows, totals, next } = request.query.q
        ? await userThreads.read(task('search'), mine, whileConnected(reply))
        : await library.list(deps, { ...mine, isLooking: isInSight(request) })
      void reply.header('X-Total-Count', totals.rows)
      if (totals.places !== undefined) void reply.header('X-Total-Places', totals.places)
      if (next !== undefined) {
        const given = Object.entries({ ...asked, cursor: next }).flatMap(([name, value]) =>
          [value ?? []].flat().map((each): [string, string] => [name, String(each)]),
        )
        const query = new URLSearchParams(given.filter(([, value]) => value !== ''))
        void reply.header('Link', `</api/transcriptions?${query.toString()}>; rel="next"`)
        void reply.header('X-Next-Cursor', next)
      }
      return withShares(userId, rows)
    },
  )

  // For the page, to choose all of a list: it has no place in the documentation, so no key may ask.
  serve(
    app,
    calls.listIds,
    { schema: { querystring: IdsQuery, response: { 200: Ids } } },
    async (request, reply) => {
      const mine = { userId: userOf(request).id, ...request.query }
      return request.query.q
        ? userThreads.read(task('searchIds'), mine, whileConnected(reply))
        : library.idsOf(deps, mine)
    },
  )

  serve(
    app,
    ofTranscriptions.renameTranscription,
    {
      schema: {
        operationId: 'renameTranscription',
        tags: ['Transcriptions'],
        scopes: ['read', 'write'],
        summary: 'Rename a transcription, or say when it was recorded',
        params: Id,
        body: ChangeRecording,
        response: { 200: TranscriptionRow.describe('The transcription as it is now.') },
      },
    },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      const { name, recordedAt, timeZone } = request.body
      if (recordedAt !== undefined)
        await library.setRecordedAt(deps, { ...owned, recordedAt, timeZone })
      if (name !== undefined) await library.rename(deps, { ...owned, name })
      return rowOf(owned)
    },
  )

  serve(
    app,
    ofTranscriptions.deleteTranscription,
    {
      schema: {
        operationId: 'deleteTranscription',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Delete a transcription',
        description:
          'With its recording and everything made from it. It can be brought back for five minutes.',
        refusals: ['still_processing'],
        params: Id,
        response: { 200: Deleted.describe('It is deleted.') },
      },
    },
    async (request) => {
      const asked = { userId: userOf(request).id, ids: [request.params.id] }
      const { restorableUntil } = await deleting.remove(deps, asked)
      return {
        message: 'The transcription is deleted.',
        restorableUntil: restorableUntil.toISOString(),
      }
    },
  )

  serve(
    app,
    ofTranscriptions.undeleteTranscription,
    {
      schema: {
        operationId: 'undeleteTranscription',
        tags: ['Transcriptions'],
        scopes: ['read', 'write'],
        summary: 'Bring a deleted transcription back',
        params: Id,
        response: { 200: TranscriptionRow.describe('It is back.') },
      },
    },
    async (request) => {
      const { id } = request.params
      const { id: userId } = userOf(request)
      await deleting.bringBack(deps, { userId, ids: [id] })
      return rowOf({ userId, id })
    },
  )

  serve(
    app,
    ofTranscriptions.deleteTranscriptions,
    {
      schema: {
        operationId: 'deleteTranscriptions',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Delete many transcriptions',
        description:
          'What is still worked on is left. What is not there any more is passed over. They can be brought back together for five minutes.',
        refusals: ['still_processing', 'not_found'],
        body: Many,
        response: { 200: DeletedMany.describe('They are deleted.') },
      },
    },
    async (request) => {
      const asked = { userId: userOf(request).id, ids: request.body.ids }
      const { deleted, left, restorableUntil } = await deleting.remove(deps, asked)
      return {
        message: `${counted(deleted)} deleted.`,
        deleted,
        left,
        restorableUntil: restorableUntil.toISOString(),
      }
    },
  )

  serve(
    app,
    ofTranscriptions.undeleteTranscriptions,
    {
      schema: {
        operationId: 'undeleteTranscriptions',
        tags: ['Transcriptions'],
        scopes: ['write'],
        summary: 'Bring many deleted transcriptions back',
        refusals: ['not_found'],
        body: Many,
        response: { 200: BroughtBack.describe('Those that are there.') },
      },
    },
    async (request) => {
      const asked = { userId: userOf(request).id, ids: request.body.ids }
      const restored = await deleting.bringBack(deps, asked)
      return { message: `${counted(restored)} back.`, restored }
    },
  )

  app.put(
    '/api/transcriptions/:id/tags',
    {
      schema: {
        operationId: 'setTags',
        tags: ['Tags'],
        scopes: ['read', 'write'],
        summary: 'Set the tags of a transcription',
        description: 'By name. Tags that are new are made; an empty list takes all of them away.',
        refusals: ['too_many_tags'],
        params: Id,
        body: SetTags,
        response: { 200: TranscriptionRow.describe('The transcription with its tags.') },
      },
    },
    async (request) => {
      const owned = { userId: userOf(request).id, id: request.params.id }
      await tags.set(db, { ...owned, names: request.body.tags })
      return rowOf(owned)
    },
  )

  serve(
    app,
    calls.tagTranscriptions,
    {
      schema: {
        operationId: 'tagTranscriptions',
        tags: ['Tags'],
        scopes: ['read', 'write'],
        summary: 'Tag many transcriptions',
        description: 'All of them, or none where one is not there.',
        refusals: ['not_found', 'too_many_tags'],
        body: TagMany,
        response: { 200: Tags.describe('All tags, as they are now.') },
      },
    },
    async (request) => tags.change(db, { userId: userOf(request).id, ...request.body }),
  )

  serve(
    app,
    calls.listTags,
    {
      schema: {
        operationId: 'listTags',
        tags: ['Tags'],
        scopes: ['read'],
        summary: 'List tags',
        response: { 200: Tags.describe('All tags, and how many transcriptions have them.') },
      },
    },
    async (request) => tags.list(db, userOf(request).id),
  )

  serve(
    app,
    calls.createTag,
    {
      schema: {
        operationId: 'createTag',
        tags: ['Tags'],
        scopes: ['read', 'write'],
        summary: 'Make a tag',
        refusals: ['tag_exists', 'too_many_tags'],
        body: NameTag,
        response: { 200: Tags.describe('All tags, as they are now.') },
      },
    },
    async (request) => tags.create(db, { userId: userOf(request).id, ...request.body }),
  )

  serve(
    app,
    calls.renameTag,
    {
      schema: {
        operationId: 'renameTag',
        tags: ['Tags'],
        scopes: ['read', 'write'],
        summary: 'Rename a tag',
        refusals: ['tag_exists'],
        params: TagId,
        body: NameTag,
        response: { 200: Tags.describe('All tags, as they are now.') },
      },
    },
    async (request) =>
      tags.rename(db, { userId: userOf(request).id, id: request.params.id, ...request.body }),
  )

  serve(
    app,
    calls.deleteTag,
    {
      schema: {
        operationId: 'deleteTag',
        tags: ['Tags'],
        scopes: ['read', 'write'],
        summary: 'Delete a tag',
        description: 'The transcriptions that have it stay.',
        params: TagId,
        response: { 200: Tags.describe('All tags, as they are now.') },
      },
    },
    async (request) => tags.remove(db, { userId: userOf(request).id, id: request.params.id }),
  )

  serve(
    app,
    calls.listSpeakers,
    {
      schema: {
        operationId: 'listSpeakers',
        tags: ['Transcriptions'],
        scopes: ['read'],
        summary: 'List the names of speakers',
        description: 'Names that were given, the most frequent first, at most 200.',
        querystring: SpeakersQuery,
        response: { 200: KnownSpeakers.describe('Names, and how many transcriptions have them.') },
      },
    },
    async (request) => library.speakers(deps, { userId: userOf(request).id, q: request.query.q }),
  )
}

const counted = ({ length }: readonly unknown[]): string =>
  length === 1 ? '1 transcription is' : `${length} transcriptions are`
