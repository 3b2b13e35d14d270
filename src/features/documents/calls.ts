import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type {
  CreateGoogleDoc,
  DocumentFormat,
  DocumentTemplate,
  DocumentTemplates,
  DocumentType,
  GeneratedDocument,
  GoogleAuthUrl,
  GoogleDocCreated,
  OrderDocument,
  Trial,
  TryTemplate,
  WriteTemplate,
} from './contract.ts'

export const getGoogleAuthUrl = call('GET', '/api/google/auth-url').carries<{
  answer: GoogleAuthUrl
}>()

export const createGoogleDoc = call('POST', '/api/google/create-doc').carries<{
  body: CreateGoogleDoc
  answer: GoogleDocCreated
}>()

export const listDocumentTemplates = call('GET', '/api/document-templates').carries<{
  answer: DocumentTemplates
}>()

export const createDocumentTemplate = call('POST', '/api/document-templates').carries<{
  body: WriteTemplate
  answer: DocumentTemplate
}>()

export const changeDocumentTemplate = call('PUT', '/api/document-templates/:id').carries<{
  body: WriteTemplate
  answer: DocumentTemplate
}>()

/** The answer holds the types that are left. */
export const deleteDocumentTemplate = call('DELETE', '/api/document-templates/:id').carries<{
  answer: DocumentTemplates
}>()

export const tryDocumentTemplate = call('POST', '/api/document-templates/try').carries<{
  body: TryTemplate
  answer: Trial
}>()

export const listDocumentTypes = call('GET', '/api/document-types').carries<{
  answer: DocumentType[]
}>()

export const listDocuments = call('GET', '/api/transcription/:id/documents').carries<{
  answer: GeneratedDocument[]
}>()

export const createDocument = call('POST', '/api/transcription/:id/documents').carries<{
  body: z.input<typeof OrderDocument>
  answer: GeneratedDocument
}>()

export const retryDocument = call(
  'POST',
  '/api/transcription/:id/documents/:documentId/retry',
).carries<{ answer: GeneratedDocument }>()

export const exportDocument = call(
  'GET',
  '/api/transcription/:id/documents/:documentId/export',
).carries<{ query: { format: DocumentFormat } }>()
