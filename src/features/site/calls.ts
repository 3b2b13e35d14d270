import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type { ContactMessage } from './contract.ts'

export const sendMessage = call('POST', '/api/contact').carries<{
  body: z.input<typeof ContactMessage>
  answer: { message: string }
}>()
