import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import { file } from '#server/api-schema.ts'
import { whileConnected } from '#server/request-body.ts'
import { serve } from '#server/serve.ts'
import { contentDisposition, downloadName } from '#shared/file-names.ts'

import * as calls from './calls.ts'
import {
  DocumentExport,
  type DocumentFormat,
  DocumentType,
  GeneratedDocument,
  OrderDocument,
} from './contract.ts'
import * as documents from './documents.ts'
import { type GoogleDocsDeps, googleDocsRoutes } from './google-routes.ts'
import { type Block, blocksOf, toText } from './markdown.ts'
import { type TemplateDeps, templateRoutes } from './template-routes.ts'

const Id = z.object({ id: z.string() })
const OneId = z.object({ id: z.string(), documentId: z.string() })

/** A document to be drawn as Word or PDF. */
interface DocumentPaper {
  title: string
  facts: string[]
  language: string
  blocks: Block[]
}

export interface DocumentDeps extends documents.Deps, GoogleDocsDeps, TemplateDeps {
  recordings: documents.Recordings
  draw(
    order: { userId: string; format: 'docx' | 'pdf'; paper: DocumentPaper },
    signal: AbortSignal,
  ): Promise<Uint8Array>
}

const types: Record<DocumentFormat, string> = {
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
}

export const documentRoutes: FastifyPluginAsyncZod<DocumentDeps> = async (app, deps) => {
  await app.register(googleDocsRoutes, deps)
  await app.register(templateRoutes, deps)
  const isByModel = async () => (await deps.capabilities()).documentsByModel

  serve(
    app,
    calls.listDocumentTypes,
    {
      schema: {
        operationId: 'listDocumentTypes',
        tags: ['Documents'],
        scopes: ['read'],
        summary: 'List the types of documents',
        description:
          'Those of everybody, then those the account has described, where a language model can write them. A document is ordered by the id of its type.',
        refusals: ['documents_need_plan'],
        response: { 200: z.array(DocumentType).describe('The types.') },
      },
    },
    async (request) =>
      documents.types(deps.db, { userId: userOf(request).id, isByModel: await isByModel() }),
  )

  serve(
    app,
    calls.listDocuments,
    {
      schema: {
        operationId: 'listDocuments',
        tags: ['Documents'],
        scopes: ['read'],
        summary: 'List the documents of a transcription',
        refusals: ['documents_need_plan'],
        params: Id,
        response: { 200: z.array(GeneratedDocument).describe('The documents.') },
      },
    },
    async (request) => documents.list(deps, { userId: userOf(request).id, id: request.params.id }),
  )

  serve(
    app,
    calls.createDocument,
    {
      config: { idempotency: 'once' },
      schema: {
        operationId: 'createDocument',
        tags: ['Documents'],
        scopes: ['write'],
        summary: 'Write a document',
        description:
          'One credit, set aside now and returned if it cannot be written. Stretches that are cut are not in it, and its times are those of what is left.',
        refusals: [
          'not_finished',
          'documents_need_plan',
          'templates_off',
          'template_gone',
          'insufficient_credits',
          'too_many_unpaid_documents',
          'outcome_unknown',
        ],
        params: Id,
        body: OrderDocument,
        response: { 200: GeneratedDocument.describe('It is being written.') },
      },
    },
    async (request) =>
      documents.order(
        { ...deps, isByModel },
        { userId: userOf(request).id, id: request.params.id, ...request.body },
      ),
  )

  serve(
    app,
    calls.retryDocument,
    {
      schema: {
        operationId: 'retryDocument',
        tags: ['Documents'],
        scopes: ['write'],
        summary: 'Try a document again, for nothing',
        description: 'One that failed on our side, made of the text it was ordered for.',
        refusals: ['document_not_failed', 'document_order_anew', 'document_given_up'],
        params: OneId,
        response: { 200: GeneratedDocument.describe('It is being written again.') },
      },
    },
    async (request) => documents.retry(deps, { userId: userOf(request).id, ...request.params }),
  )

  serve(
    app,
    calls.exportDocument,
    {
      config: { atOnce: 'export' },
      schema: {
        operationId: 'exportDocument',
        tags: ['Documents'],
        scopes: ['read'],
        summary: 'Export a document as a file',
        params: OneId,
        querystring: DocumentExport,
        response: {
          200: file('The file.', ...Object.values(types)),
        },
      },
    },
    async (request, reply) => {
      const { format } = request.query
      const row = await documents.get(deps, { userId: userOf(request).id, ...request.params })
      const content = await fileOf(row, format, whileConnected(reply))
      return reply
        .header('Content-Disposition', contentDisposition(downloadName(`${row.title}.${format}`)))
        .header('Content-Security-Policy', "default-src 'none'; sandbox")
        .type(types[format])
        .send(content)
    },
  )

  type Row = Awaited<ReturnType<typeof documents.get>>
  async function fileOf(
    row: Row,
    format: DocumentFormat,
    signal: AbortSignal,
  ): Promise<string | Uint8Array> {
    const { title, content, note } = row
    switch (format) {
      case 'txt':
        return `${[title, toText(content), note].filter(Boolean).join('\n\n')}\n`
      case 'md':
        return documents.asMarkdown(row)
      case 'docx':
      case 'pdf': {
        const blocks = blocksOf(note ? `${content}\n\n${note}` : content)
        const paper = { title, facts: [], language: row.language ?? 'und', blocks }
        return deps.draw({ userId: row.userId, format, paper }, signal)
      }
    }
  }
}
