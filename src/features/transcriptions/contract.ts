import { z } from 'zod'

import { summaryLanguageCodes } from '#shared/business.ts'

export const SummaryLanguage = z.enum(summaryLanguageCodes)
export type SummaryLanguage = z.infer<typeof SummaryLanguage>

/** POST /api/upload. `duration` in whole seconds; credits as decisions D12 and "Money" say. */
export const UploadAnswer = z.object({
  transcriptionId: z.uuid(),
  filename: z.string(),
  duration: z.int(),
  creditsRequired: z.int(),
  creditsAvailable: z.int(),
})
export type UploadAnswer = z.infer<typeof UploadAnswer>

export const Confirm = z.object({ summaryLanguage: SummaryLanguage.optional() })
export const ConfirmAnswer = z.object({ creditsDeducted: z.int(), creditsRemaining: z.int() })
export type ConfirmAnswer = z.infer<typeof ConfirmAnswer>

/** One stretch of one speaker, as the spec's speakerSegments lists it; seconds. */
export const SpeakerSegment = z.object({
  start: z.number(),
  end: z.number(),
  speaker: z.string(),
  text: z.string(),
})
export type SpeakerSegment = z.infer<typeof SpeakerSegment>

/** GET /api/transcriptions/{id}. Fields of a result are null or empty until it is there. */
export const Transcription = z.object({
  id: z.uuid(),
  /** `uploading`, `processing`, a detailed string (decisions, Statuses), `summarizing`, `completed`, `error`. */
  status: z.string(),
  originalName: z.string(),
  transcriptionText: z.string().nullable(),
  summary: z.string().nullable(),
  keyPoints: z.array(z.string()),
  /** Where each key point was said: same order as keyPoints; seconds, null where it is not known. */
  keyPointTimes: z.array(z.number().nullable()),
  /** The words each key point was taken from, as they were said; null where it has no such place. */
  keyPointQuotes: z.array(z.string().nullable()),
  topics: z.array(z.string()),
  speakers: z.array(z.string()),
  /** JSON text of SpeakerSegment[]. */
  speakerSegments: z.string().nullable(),
  duration: z.int(),
  wordCount: z.int().nullable(),
  /** ISO 639-1, null while unknown. */
  language: z.string().nullable(),
  /** What recognised the words, by name; null until they are there, and for what was written by hand. */
  engine: z.string().nullable(),
  summaryLanguage: SummaryLanguage,
  /** How the summary was made; the page says so under it. */
  summaryNote: z.string().nullable(),
  errorMessage: z.string().nullable(),
  /**
   * Why the recording itself was refused, for example `no_speech`: another try would end the same.
   * Null when the job broke on our side, or did not fail.
   */
  errorCode: z.string().nullable(),
  /** Whether "Try again" is possible: the job failed and its recording is still there. */
  canRetry: z.boolean(),
  creditsRequired: z.int(),
  /** The product's own recording, corrected by hand. */
  isSample: z.boolean(),
  /** What was given back when the job failed; null while nothing was. */
  creditsReturned: z.int().nullable(),
  createdAt: z.iso.datetime(),
  /** Until when the recording is kept; null once it is deleted. */
  recordingKeptUntil: z.iso.datetime().nullable(),
  /** When it was deleted, by its owner or because its time was over; null while it is there. */
  recordingDeletedAt: z.iso.datetime().nullable(),
})
export type Transcription = z.infer<typeof Transcription>

/** One row of GET /api/transcriptions: the transcription without its long texts. */
export const TranscriptionRow = Transcription.pick({
  id: true,
  status: true,
  originalName: true,
  duration: true,
  wordCount: true,
  language: true,
  speakers: true,
  errorMessage: true,
  errorCode: true,
  canRetry: true,
  creditsRequired: true,
  isSample: true,
  createdAt: true,
  recordingKeptUntil: true,
  recordingDeletedAt: true,
})
export type TranscriptionRow = z.infer<typeof TranscriptionRow>

/** GET /api/engines: what recordings sent now will be worked on with. */
export const Engines = z.object({
  /** `languages` as ISO 639-1 codes; null when any language is recognised, or nobody here knows. */
  speech: z.object({
    name: z.string(),
    languages: z.array(z.string()).nullable(),
    note: z.string().nullable(),
  }),
  writing: z.object({ name: z.string(), note: z.string().nullable() }),
})
export type Engines = z.infer<typeof Engines>

export { isFinished, isUnconfirmed, isWorking, progressFor, stageOf } from './status.ts'
export type { Stage } from './status.ts'
