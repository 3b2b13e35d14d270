import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import type { Heavy } from '#features/transcriptions/heavy.ts'
import { file } from '#server/api-schema.ts'
import { whileConnected } from '#server/request-body.ts'
import { sendFile } from '#server/send.ts'

import { ExportQuery } from './contract.ts'
import { exportFormats } from './formats.ts'
import { task } from './heavy.ts'

const types = Object.values(exportFormats).map(({ type }) => type.replace(/;.*/, ''))

const Id = z.object({ id: z.string().describe('The transcription.') })

export const exportRoutes: FastifyPluginAsyncZod<{ heavy: Heavy }> = async (app, { heavy }) => {
  app.get(
    '/api/transcriptions/:id/export',
    {
      schema: {
        operationId: 'exportTranscription',
        tags: ['Results'],
        summary: 'Export as a file',
        refusals: ['not_finished', 'not_drawable'],
        params: Id,
        querystring: ExportQuery,
        response: {
          200: file('The file.', ...types),
        },
      },
    },
    async (request, reply) => {
      const owned = { userId: userOf(request).id, ...request.params }
      const asked = { ...owned, ...request.query }
      const whose = { ...owned, signal: whileConnected(reply) }
      return sendFile(reply, await heavy.export(task('exportFile'), asked, whose))
    },
  )
}
