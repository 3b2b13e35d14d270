/** The door to an account's own types of documents. */
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'

import { userOf } from '#features/account/session-hook.ts'
import { whileConnected } from '#server/request-body.ts'
import { serve } from '#server/serve.ts'
import type { Capabilities } from '#shared/capabilities.ts'
import { Refusal } from '#shared/refusals.ts'

import * as calls from './calls.ts'
import {
  DocumentTemplate,
  DocumentTemplates,
  Trial,
  TryTemplate,
  WriteTemplate,
} from './contract.ts'
import { requirePlan } from './documents.ts'
import * as templates from './templates.ts'

const Id = z.object({ id: z.string() })
const tags = ['Documents']
const off = ['documents_need_plan', 'templates_off'] as const

export interface TemplateDeps extends templates.TrialDeps {
  capabilities(): Promise<Pick<Capabilities, 'documentsByModel'>>
}

export const templateRoutes: FastifyPluginAsyncZod<TemplateDeps> = async (app, deps) => {
  /** Refuses users whose plan has no documents, and all users where no model can write by a type. */
  async function admit(userId: string): Promise<void> {
    await requirePlan(deps.db, userId)
    if (!(await deps.capabilities()).documentsByModel) throw new Refusal('templates_off')
  }

  serve(
    app,
    calls.listDocumentTemplates,
    {
      schema: {
        operationId: 'listDocumentTemplates',
        tags,
        scopes: ['read'],
        summary: 'List your own types of documents',
        response: { 200: DocumentTemplates.describe('The types the account has described.') },
      },
    },
    async (request) => templates.list(deps, userOf(request).id),
  )

  serve(
    app,
    calls.createDocumentTemplate,
    {
      schema: {
        operationId: 'createDocumentTemplate',
        tags,
        scopes: ['write'],
        summary: 'Describe a type of document',
        description:
          'For servers with a language model. It is offered by GET /api/document-types from then on, and ordered by the id it has there.',
        refusals: [...off, 'template_exists', 'too_many_templates'],
        body: WriteTemplate,
        response: { 200: DocumentTemplate.describe('The new type.') },
      },
    },
    async (request) => {
      const { id: userId } = userOf(request)
      await admit(userId)
      return templates.save(deps, { userId, ...request.body })
    },
  )

  serve(
    app,
    calls.changeDocumentTemplate,
    {
      schema: {
        operationId: 'changeDocumentTemplate',
        tags,
        scopes: ['write'],
        summary: 'Change a type of document of your own',
        description: 'Documents that are ordered already stay as they were ordered.',
        refusals: ['template_exists'],
        params: Id,
        body: WriteTemplate,
        response: { 200: DocumentTemplate.describe('The type as it is now.') },
      },
    },
    async (request) =>
      templates.save(deps, {
        userId: userOf(request).id,
        ...request.params,
        ...request.body,
      }),
  )

  serve(
    app,
    calls.deleteDocumentTemplate,
    {
      schema: {
        operationId: 'deleteDocumentTemplate',
        tags,
        scopes: ['read', 'write'],
        summary: 'Delete a type of document of your own',
        description: 'What was ordered of it is written, and what was written of it stays.',
        params: Id,
        response: { 200: DocumentTemplates.describe('Those that are left.') },
      },
    },
    async (request) => {
      const { id: userId } = userOf(request)
      await templates.remove(deps.db, { userId, ...request.params })
      return templates.list(deps, userId)
    },
  )

  // Only for our page: behind a program there is nobody who looks at a trial.
  serve(
    app,
    calls.tryDocumentTemplate,
    { config: { atOnce: 'model' }, schema: { body: TryTemplate, response: { 200: Trial } } },
    async (request, reply) => {
      const { id: userId } = userOf(request)
      await admit(userId)
      return templates.tryOut(deps, { userId, ...request.body }, whileConnected(reply))
    },
  )
}
