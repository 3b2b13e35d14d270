import { z } from 'zod'

import {
  documentKindIds,
  type OwnKind,
  type OwnLength,
  ownLengths,
  ownParts,
} from '#features/writing/contract.ts'
import { LONGEST_INSTRUCTIONS, LONGEST_TEMPLATE_NAME } from '#shared/business.ts'

export type { Block } from './markdown.ts'

/** A type of one's own has the id of its template, so that a program that lists types can order each. */
const OwnTypeId = z.templateLiteral(['template:', z.uuid()])
export const DocumentTypeId = z.union([z.enum(documentKindIds), OwnTypeId])
export type DocumentTypeId = z.infer<typeof DocumentTypeId>

export const DocumentType = z.object({
  id: DocumentTypeId,
  name: z.string(),
  /** One of the icons the page knows; an unknown one is shown as FileText. */
  icon: z.string(),
  description: z.string(),
  includeImages: z.boolean(),
  minWords: z.int(),
  maxWords: z.int(),
  /** Whether the account has described it; see GET /api/document-templates. */
  isOwn: z.boolean(),
})
export type DocumentType = z.infer<typeof DocumentType>

const lengths = z.enum(Object.keys(ownLengths) as [OwnLength, ...OwnLength[]])
const range = ({ minWords, maxWords }: (typeof ownLengths)[OwnLength]) => `${minWords}–${maxWords}`
const OwnLengthChoice = lengths.describe(
  `short is ${range(ownLengths.short)} words, middle ${range(ownLengths.middle)}, long ${range(ownLengths.long)}; fewer where little was said.`,
)
const OwnPartChoice = z.enum(ownParts)

export const WriteTemplate = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'Please give the type a name.')
    .max(LONGEST_TEMPLATE_NAME, `The name has at most ${LONGEST_TEMPLATE_NAME} letters.`),
  instructions: z
    .string()
    .trim()
    .min(1, 'Please say what the document is to be.')
    .max(
      LONGEST_INSTRUCTIONS,
      `The instructions have at most ${LONGEST_INSTRUCTIONS.toLocaleString('en-US')} letters.`,
    ),
  length: OwnLengthChoice,
  parts: z
    .array(OwnPartChoice)
    .max(ownParts.length)
    .describe(
      'What of the recording it shows: who spoke, their words as quotes, the times of these, and its name, date and length. What is left out does not appear.',
    ),
})

export type WriteTemplate = z.infer<typeof WriteTemplate>

/** The same as it is kept. */
const described = {
  name: z.string(),
  instructions: z.string(),
  length: OwnLengthChoice,
  parts: z.array(OwnPartChoice),
}

export const DocumentTemplate = z.object({
  id: z.uuid(),
  ...described,
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
})
z.globalRegistry.add(DocumentTemplate, { id: 'DocumentTemplate' })
export type DocumentTemplate = z.infer<typeof DocumentTemplate>

export const DocumentTemplates = z.object({
  /** By name. */
  templates: z.array(DocumentTemplate),
  /** How often one may be tried on the sample before a day is over. */
  trialsLeft: z.int(),
})
export type DocumentTemplates = z.infer<typeof DocumentTemplates>

export const TryTemplate = WriteTemplate.extend({ name: WriteTemplate.shape.name.optional() })
export type TryTemplate = z.infer<typeof TryTemplate>

export const Trial = z.object({
  title: z.string(),
  /** Markdown, as that of a document. */
  content: z.string(),
  wordCount: z.int(),
  note: z.string(),
  /** How long it took. */
  seconds: z.number(),
  trialsLeft: z.int(),
})
export type Trial = z.infer<typeof Trial>

const DocumentStatus = z.enum(['generating', 'generated', 'error'])
export type DocumentStatus = z.infer<typeof DocumentStatus>

export const GeneratedDocument = z.object({
  id: z.uuid(),
  title: z.string(),
  documentType: DocumentTypeId,
  /**
   * A copy of the type that it was made with, where a user has described that. Null for the other
   * types.
   */
  template: z.object(described).nullable(),
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

/** A document of a finished transcription, for one credit. */
export const OrderDocument = z.object({
  documentType: DocumentTypeId,
  includeImages: z.boolean().default(false),
})
export type OrderDocument = z.infer<typeof OrderDocument>
/** An order as it is kept: with a copy of a type of one's own, which may change or go meanwhile. */
export type KeptOrder = OrderDocument & { template?: OwnKind }

export const DocumentFormat = z.enum(['txt', 'md', 'docx', 'pdf'])
export type DocumentFormat = z.infer<typeof DocumentFormat>
export const DocumentExport = z.object({ format: DocumentFormat })

export const GoogleAuthUrl = z.object({ authUrl: z.string() })
export type GoogleAuthUrl = z.infer<typeof GoogleAuthUrl>

export const CreateGoogleDoc = z.object({
  token: z.string().min(1).max(4_096),
  title: z.string().trim().max(300).optional(),
  content: z.string().min(1).max(200_000),
  documentType: DocumentTypeId,
  /** The one that it is a copy of: what is hidden for others in its recording is hidden in the copy. */
  documentId: z.uuid().optional(),
})
export type CreateGoogleDoc = z.infer<typeof CreateGoogleDoc>
export const GoogleDocCreated = z.object({ documentId: z.string(), documentUrl: z.string() })
export type GoogleDocCreated = z.infer<typeof GoogleDocCreated>
