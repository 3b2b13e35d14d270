import { z } from 'zod'

import { documentKindIds } from '#features/writing/contract.ts'

export type { Block } from './markdown.ts'

export const DocumentTypeId = z.enum(documentKindIds)
export type DocumentTypeId = z.infer<typeof DocumentTypeId>

/** GET /api/document-types */
export const DocumentType = z.object({
  id: DocumentTypeId,
  name: z.string(),
  /** One of the seven icons the page knows; an unknown one is shown as FileText. */
  icon: z.string(),
  description: z.string(),
  includeImages: z.boolean(),
  minWords: z.int(),
  maxWords: z.int(),
})
export type DocumentType = z.infer<typeof DocumentType>

const DocumentStatus = z.enum(['generating', 'generated', 'error'])
export type DocumentStatus = z.infer<typeof DocumentStatus>

/** One of GET /api/transcription/{id}/documents, newest first. */
export const GeneratedDocument = z.object({
  id: z.uuid(),
  title: z.string(),
  documentType: DocumentTypeId,
  /** Markdown, see markdown.ts; empty until it is generated. */
  content: z.string(),
  wordCount: z.int(),
  createdAt: z.iso.datetime(),
  status: DocumentStatus,
  /** How it was made; shown under it. Null until it is. */
  note: z.string().nullable(),
  /** Why it failed, where the reason lies in its text: it is not tried again, but ordered anew. */
  problem: z.string().nullable(),
  /** Whether the credit it cost came back. */
  isCreditReturned: z.boolean(),
})
z.globalRegistry.add(GeneratedDocument, { id: 'GeneratedDocument' })
export type GeneratedDocument = z.infer<typeof GeneratedDocument>

/** POST /api/transcription/{id}/documents: a document of a finished transcription, for one credit. */
export const OrderDocument = z.object({
  documentType: DocumentTypeId,
  includeImages: z.boolean().default(false),
})
export type OrderDocument = z.infer<typeof OrderDocument>

export const DocumentFormat = z.enum(['txt', 'md', 'docx', 'pdf'])
export type DocumentFormat = z.infer<typeof DocumentFormat>
export const DocumentExport = z.object({ format: DocumentFormat })

/** GET /api/google/auth-url */
export const GoogleAuthUrl = z.object({ authUrl: z.string() })
export type GoogleAuthUrl = z.infer<typeof GoogleAuthUrl>

/** POST /api/google/create-doc */
export const CreateGoogleDoc = z.object({
  token: z.string().min(1).max(4_096),
  title: z.string().trim().max(300).optional(),
  content: z.string().min(1).max(200_000),
  documentType: DocumentTypeId,
})
export type CreateGoogleDoc = z.infer<typeof CreateGoogleDoc>
export const GoogleDocCreated = z.object({ documentId: z.string(), documentUrl: z.string() })
export type GoogleDocCreated = z.infer<typeof GoogleDocCreated>
