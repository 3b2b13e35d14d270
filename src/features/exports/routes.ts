import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import type { Cover } from '#features/cuts/veiled-sound.ts'
import type { UserThreads } from '#features/text/user-threads.ts'
import { downloadTranscription } from '#features/transcriptions/calls.ts'
import { file } from '#server/api-schema.ts'
import type { Db } from '#server/db.ts'
import { rate } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { whileConnected } from '#server/request-body.ts'
import { sendFile, sendJson } from '#server/send.ts'
import { serve } from '#server/serve.ts'
import type { Storage } from '#server/storage.ts'
import type { Clock } from '#shared/clock.ts'
import { contentDisposition } from '#shared/file-names.ts'

import { archiveOf } from './archive.ts'
import * as calls from './calls.ts'
import {
  ArchiveRequest,
  CaptionsChecked,
  CaptionsQuery,
  ExportOrLookQuery,
  SoundQuery,
  TextQuery,
} from './contract.ts'
import { exportFormats } from './formats.ts'
import { task } from './in-thread.ts'
import { soundsOf } from './sounds.ts'

const types = [...new Set(Object.values(exportFormats).map(({ type }) => type.replace(/;.*/, '')))]

const Id = z.object({ id: z.string().describe('The transcription.') })

const ARCHIVES = [
  { most: 6, seconds: 60 },
  { most: 60, seconds: 3_600 },
]

export const exportRoutes: FastifyPluginAsyncZod<{
  db: Db
  userThreads: UserThreads
  clock: Clock
  log: Log
  storage: Storage
  workRoot: string
  cover?: Cover | undefined
}> = async (app, deps) => {
  const archives = rate('too_many_exports', ARCHIVES)
  serve(
    app,
    calls.exportTranscription,
    {
      config: { atOnce: 'export' },
      schema: {
        operationId: 'exportTranscription',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'Export as a file',
        refusals: [
          'not_finished',
          'no_such_timecode',
          'without_chapters',
          'too_few_chapters',
          'without_cuts',
          'not_translated',
          'too_many_exports',
        ],
        params: Id,
        querystring: ExportOrLookQuery,
        response: {
          200: file('The file.', ...types),
        },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, ...request.params }
      const { look, ...options } = request.query
      const asked = { ...owned, ...options }
      const whose = { ...owned, signal: whileConnected(reply) }
      if (look)
        return sendJson(reply, await deps.userThreads.export(task('lookAtExport'), asked, whose))
      return sendFile(reply, await deps.userThreads.export(task('exportFile'), asked, whose))
    },
  )

  serve(
    app,
    downloadTranscription,
    {
      config: { atOnce: 'export' },
      schema: {
        operationId: 'downloadTranscription',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'The text as transcription-NAME.txt',
        description: 'What an export as txt has, under this name.',
        refusals: ['not_finished', 'too_many_exports'],
        params: Id,
        querystring: TextQuery,
        response: { 200: file('The file.', 'text/plain') },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, ...request.params }
      const asked = { ...owned, ...request.query }
      const whose = { ...owned, signal: whileConnected(reply) }
      return sendFile(reply, await deps.userThreads.export(task('textFile'), asked, whose))
    },
  )

  const sounds = soundsOf(deps)
  serve(
    app,
    calls.exportRecording,
    {
      config: { atOnce: 'by_route' },
      schema: {
        operationId: 'exportRecording',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'The recording with its chapters',
        description:
          'The sound alone, with the chapters as players of podcasts show them. Its frames are copied where the format allows that; otherwise it is encoded, which takes about a second for each minute, before the first byte comes.',
        refusals: [
          'not_finished',
          'recording_gone',
          'sound_being_hidden',
          'sound_not_hidden',
          'without_chapters',
          'not_encodable',
          'too_many_exports',
          'too_much_at_once',
          'server_busy',
        ],
        params: Id,
        querystring: SoundQuery,
        response: { 200: file('The file.', 'audio/mp4', 'audio/mpeg') },
      },
    },
    async (request, reply) => {
      const { id: userId } = userOf(request)
      archives.count(userId, deps.clock())
      const asked = { userId, ...request.params, ...request.query }
      const { name, type, sizeBytes, content } = await sounds(asked, whileConnected(reply))
      return reply
        .header('Content-Disposition', contentDisposition(name))
        .header('Content-Length', sizeBytes)
        .type(type)
        .send(content)
    },
  )

  serve(
    app,
    calls.checkCaptions,
    {
      config: { atOnce: 'export' },
      schema: {
        operationId: 'checkCaptions',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'Check captions by reading rules',
        description: 'Looks at the captions that an export with the same options has.',
        refusals: ['not_finished', 'not_translated', 'too_many_exports'],
        params: Id,
        querystring: CaptionsQuery,
        response: { 200: CaptionsChecked },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, ...request.params }
      const asked = { ...owned, ...request.query }
      const whose = { ...owned, signal: whileConnected(reply) }
      return sendJson(reply, await deps.userThreads.export(task('checkCaptions'), asked, whose))
    },
  )

  serve(
    app,
    calls.exportTranscriptions,
    {
      config: { atOnce: 'by_route' },
      schema: {
        operationId: 'exportTranscriptions',
        tags: ['Results'],
        scopes: ['read'],
        summary: 'Export many as one archive',
        description:
          'A ZIP file with a file for each transcription. What is not finished, or cannot be written in this format, is left out and named in `left-out.txt` inside.',
        refusals: [
          'not_found',
          'no_such_timecode',
          'not_finished',
          'archive_too_large',
          'too_many_exports',
        ],
        body: ArchiveRequest,
        response: {
          200: file('The archive.', 'application/zip'),
        },
      },
    },
    async (request, reply) => {
      const { id: userId } = userOf(request)
      const now = deps.clock()
      archives.count(userId, now)
      const archive = await archiveOf(deps, { userId, ...request.body })
      const name = `transcriptions-${now.toISOString().slice(0, 10)}.zip`
      return reply
        .header('Content-Disposition', contentDisposition(name))
        .type('application/zip')
        .send(archive)
    },
  )
}
