import { z } from 'zod'

import { missingInformation } from '#shared/contact-types.ts'
import { plainAddress } from '#shared/written.ts'

const required = (most: number, tooLong: string) =>
  z.string(missingInformation).trim().min(1, missingInformation).max(most, tooLong)

export const ContactMessage = z.object({
  name: required(200, 'The name must be at most 200 characters long.'),
  email: z
    .string(missingInformation)
    .overwrite(plainAddress)
    .min(1, missingInformation)
    .max(320, 'Please enter a valid email address'),
  subject: z
    .string()
    .trim()
    .max(200, 'The subject must be at most 200 characters long.')
    .default(''),
  type: z.enum(
    ['general', 'technical', 'billing', 'complaint', 'feature', 'partnership'],
    missingInformation,
  ),
  message: required(10_000, 'The message must be at most 10,000 characters long.'),
  /**
   * The subject of the page from which it was written: the number of a request, a payment or a
   * recording.
   */
  reference: z.string().trim().max(200).optional(),
})
export type ContactMessage = z.infer<typeof ContactMessage>

export const ContactAnswer = z.object({ message: z.string() })
