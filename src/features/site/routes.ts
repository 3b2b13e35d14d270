import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'

import { serve } from '#server/serve.ts'

import * as calls from './calls.ts'
import * as contact from './contact.ts'
import { ContactAnswer, ContactMessage } from './contract.ts'

export const contactRoutes: FastifyPluginAsyncZod<contact.Deps> = async (app, deps) => {
  serve(
    app,
    calls.sendMessage,
    {
      config: { access: 'public' },
      schema: { body: ContactMessage, response: { 200: ContactAnswer } },
    },
    async (request) => {
      const userId = request.user?.id ?? null
      await contact.send(deps, { ...request.body, userId, ip: request.ip })
      return { message: "Message Sent: We'll get back to you within 24 hours." }
    },
  )
}
