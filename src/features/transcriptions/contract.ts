import { z } from 'zod'

import { ActionItem } from '#features/action-items/contract.ts'
import { OrderDocument } from '#features/documents/contract.ts'
import {
  Ignored,
  Levels,
  RecordedAt,
  RecordingOptions,
  SameAs,
  SummaryLanguage,
  TimeZone,
} from '#features/recordings/contract.ts'
import { summaryLengths } from '#features/writing/contract.ts'
import {
  LONGEST_CHAPTER,
  LONGEST_POINT,
  LONGEST_SUMMARY,
  MAX_BATCH,
  MAX_DURATION_HOURS,
  MOST_POINTS,
} from '#shared/business.ts'
import { frameRates } from '#shared/frame-rates.ts'

export const Confirm = z.object({ summaryLanguage: SummaryLanguage.optional() })
export type Confirm = z.infer<typeof Confirm>
export const ConfirmAnswer = z.object({
  creditsDeducted: z.int(),
  creditsRemaining: z.int(),
  ignored: Ignored,
})
export type ConfirmAnswer = z.infer<typeof ConfirmAnswer>

export const Retry = RecordingOptions.pick({ language: true })
export type Retry = z.infer<typeof Retry>

/** All of these or none. Options take the place of what came with the files. */
export const ConfirmBatch = Confirm.extend({
  ...RecordingOptions.shape,
  ids: z
    .array(z.string().max(100))
    .min(1)
    .max(MAX_BATCH)
    .describe(`The transcriptions, up to ${MAX_BATCH}, as they are to be worked on.`),
  creditsRequired: z
    .int()
    .min(1)
    .optional()
    .describe('What they were said to cost together: refused where it is another number.'),
  document: OrderDocument.optional().describe(
    'A document of each of them, for one credit more. It takes the place of one that was asked for with a file.',
  ),
})
export type ConfirmBatch = z.input<typeof ConfirmBatch>

/** One stretch of one speaker, as the spec's speakerSegments lists it; seconds. */
export const SpeakerSegment = z.object({
  start: z.number(),
  end: z.number(),
  speaker: z.string(),
  text: z.string(),
})
export type SpeakerSegment = z.infer<typeof SpeakerSegment>

/**
 * The newest work on a recording that has a text already. GET /api/transcriptions/ID with its id
 * answers how far it is; the text it is made for stays readable and cannot be changed meanwhile.
 */
export const AgainRun = z.object({
  id: z.uuid(),
  what: z.enum(['text', 'speakers']).describe('A new text, or only who says what.'),
  status: z.string().describe('As the status of a transcription.'),
  errorMessage: z.string().nullable().describe('Why it failed. The text is as it was.'),
})
export type AgainRun = z.infer<typeof AgainRun>

/** An option that is left out is asked for as the last time. */
export const AskAgain = RecordingOptions

/** Confirmed as an upload is, by its own id; without that it is gone after an hour. */
export const AgainQuote = z.object({
  id: z.uuid().describe('POST /api/transcriptions/ID/confirm with this id begins the work.'),
  creditsRequired: z.int().describe('0 where the first try failed on our side.'),
  creditsAvailable: z.int(),
  ignored: Ignored,
})
z.globalRegistry.add(AgainQuote, { id: 'AgainQuote' })
export type AgainQuote = z.infer<typeof AgainQuote>

/** Begins at once, and is free. */
export const AskSpeakers = RecordingOptions.pick({ speakers: true }).required()

export const Tag = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Colours are those of the speakers: `speakerColours(colour)`. */
  colour: z.int().describe('0 to 7.'),
})
z.globalRegistry.add(Tag, { id: 'Tag' })
export type Tag = z.infer<typeof Tag>

/** Where a chapter begins, and what it is called. */
export const Chapter = z.object({
  title: z
    .string()
    .trim()
    .min(1)
    .max(LONGEST_CHAPTER)
    .describe(`1 to ${LONGEST_CHAPTER} characters.`),
  start: z
    .number()
    .min(0)
    .max(MAX_DURATION_HOURS * 3600)
    .describe('Seconds from the beginning of the recording.'),
})
export type Chapter = z.infer<typeof Chapter>

export const ChaptersBy = z
  .enum(['model', 'words', 'own'])
  .describe(
    'model: found and named by a language model. words: found by changes of vocabulary, speakers and pauses; titles are phrases that were said. own: set by whoever owns the transcription, or brought along by the file.',
  )
export type ChaptersBy = z.infer<typeof ChaptersBy>

/** The answer to a change of chapters. */
export const Chapters = z.object({
  chapters: z.array(Chapter).describe('By their beginning.'),
  chaptersBy: ChaptersBy.nullable(),
})
z.globalRegistry.add(Chapters, { id: 'Chapters' })
export type Chapters = z.infer<typeof Chapters>

export const OrderSummary = z.object({
  language: SummaryLanguage.optional().describe('Without it, as the summary before.'),
  length: z.enum(summaryLengths).default('medium'),
})
export type OrderSummary = z.infer<typeof OrderSummary>

/** The last time that its owner asked for another summary. */
export const SummaryAgain = z.object({
  status: z
    .enum(['writing', 'written', 'not_better', 'given_up'])
    .describe(
      'writing: the one before stays until it is there. not_better: it did not pass, or said less than the one before, which stays. given_up: the language model did not answer for a day.',
    ),
  language: SummaryLanguage,
  length: z.enum(summaryLengths),
  canGoBack: z.boolean().describe('Whether the summary before can come back.'),
})
z.globalRegistry.add(SummaryAgain, { id: 'SummaryAgain' })
export type SummaryAgain = z.infer<typeof SummaryAgain>

export const OwnPoint = z.object({
  text: z.string().min(1).max(LONGEST_POINT).describe(`1 to ${LONGEST_POINT} characters.`),
  quote: z
    .string()
    .max(LONGEST_SUMMARY)
    .nullable()
    .default(null)
    .describe('Of the key point whose words were changed, as it was read; null for a new one.'),
  time: z
    .number()
    .nullable()
    .default(null)
    .describe('The same for its time, in seconds: one that was changed before has no quote.'),
})
export type OwnPoint = z.infer<typeof OwnPoint>

/** PATCH …/summary: what is left out stays. */
export const ChangeSummary = z
  .object({
    summary: z
      .string()
      .max(LONGEST_SUMMARY)
      .refine((text) => text.trim() !== '')
      .nullable()
      .optional()
      .describe(`Up to ${LONGEST_SUMMARY} characters. Null: as it was written.`),
    keyPoints: z
      .array(OwnPoint)
      .max(MOST_POINTS)
      .nullable()
      .optional()
      .describe(`These and no others, at most ${MOST_POINTS}. Null: as they were written.`),
    was: z
      .object({ summary: z.string().nullable(), keyPoints: z.array(z.string()) })
      .optional()
      .describe('As they were read. Where they are others by now, nothing is changed.'),
  })
  .refine(({ summary, keyPoints }) => summary !== undefined || keyPoints !== undefined)
export type ChangeSummary = z.infer<typeof ChangeSummary>

/** Fields of a result are null or empty until it is there. */
export const Transcription = z.object({
  id: z.uuid().describe('UUID.'),
  status: z
    .string()
    .describe(
      'uploading, processing, a stage in words such as “processing chunk 2/5”, summarizing, completed, or error.',
    ),
  waiting: z
    .object({
      ahead: z
        .int()
        .describe('How many are worked on or begin before it, those of other accounts too.'),
      isNext: z.boolean().describe('Whether it begins as soon as a worker is free.'),
      readyInSeconds: z
        .int()
        .nullable()
        .describe('About when it is ready, by what took how long lately; null: nobody knows.'),
    })
    .nullable()
    .optional()
    .describe('Where it stands while it waits for a worker; null or absent otherwise.'),
  originalName: z.string().describe('Name of the file.'),
  transcriptionText: z.string().nullable().describe('All that was said.'),
  summary: z.string().nullable().describe('The summary.'),
  keyPoints: z.array(z.string()).describe('The main points.'),
  /** Where each key point was said: same order as keyPoints; seconds, null where it is not known. */
  keyPointTimes: z.array(z.number().nullable()),
  /** The words each key point was taken from, as they were said; null where it has no such place. */
  keyPointQuotes: z.array(z.string().nullable()),
  keyPointsOwn: z
    .array(z.boolean())
    .optional()
    .describe('Whether the words of each key point are those of its owner: same order.'),
  summaryChanged: z
    .array(z.enum(['summary', 'keyPoints']))
    .optional()
    .describe('What its owner has changed. It stays when the summary is written again.'),
  topics: z.array(z.string()).describe('What it was about.'),
  chapters: z
    .array(Chapter)
    .describe('By their beginning; made with the summary of recordings of more than ten minutes.'),
  chaptersBy: ChaptersBy.nullable().optional(),
  actionItems: z
    .array(ActionItem)
    .describe(
      'What somebody is to do, in the order in which it was said; what was added comes last.',
    ),
  speakers: z.array(z.string()).describe('Speaker A, Speaker B, or the names they were given.'),
  speakerSegments: z.string().nullable().describe('JSON: a list of start, end, speaker and text.'),
  duration: z.int().describe('Seconds.'),
  levels: Levels.optional(),
  sameAs: SameAs.optional(),
  wordCount: z.int().nullable().describe('Words in the text.'),
  language: z.string().nullable().describe('ISO 639-1 of what was spoken.'),
  /** The engine that recognised the words; null until they are there, and for what was written by hand. */
  engine: z.string().nullable(),
  summaryLanguage: SummaryLanguage,
  /** How the summary was made; the page says so under it. */
  summaryNote: z.string().nullable(),
  summaryKind: z
    .enum(['summary', 'sentences'])
    .optional()
    .describe('sentences: made without a language model, of sentences that do not sum it up.'),
  summaryPending: z
    .boolean()
    .optional()
    .describe(
      'Whether a better summary is being written. It takes the place of this one, with key points and topics; status stays completed.',
    ),
  summaryAgain: SummaryAgain.nullable().optional(),
  hiddenForOthers: z
    .array(z.object({ words: z.array(z.string()), mark: z.enum(['bar', 'name']) }))
    .optional()
    .describe('What links and files are without; its owner alone is answered the words.'),
  errorMessage: z.string().nullable().describe('Why it failed. Its credits were returned.'),
  /**
   * Why the recording itself was refused, for example `no_speech`: another try would end the same.
   * Null when the job broke on our side, or did not fail.
   */
  errorCode: z.string().nullable(),
  /** Whether "Try again" is possible: the job broke on our side, fewer than 10 times, and its recording is still there. */
  canRetry: z.boolean(),
  creditsRequired: z.int(),
  /** The product's own recording. */
  isSample: z.boolean(),
  /** The credits that were given back when the job failed; null while none were. */
  creditsReturned: z.int().nullable(),
  failedAlike: z
    .int()
    .optional()
    .describe('How often it broke on our side the same way, one after the other.'),
  createdAt: z.iso.datetime().describe('When it was sent.'),
  recordedAt: z
    .string()
    .nullable()
    .describe(
      'When it was recorded, on the clock of its owner: a day (2026-09-01), or a moment (2026-09-01T10:02:00-07:00). Null where nobody has said so, nor the file. “By Friday” counts from that day.',
    ),
  filmStart: z
    .object({
      timecode: z.string().describe('For example 10:00:00:00; `;` before frames of drop-frame.'),
      frameRate: z.enum(frameRates).nullable().describe('Frames a second; null for sound alone.'),
    })
    .nullable()
    .optional()
    .describe('The time code at which the file says that its film begins.'),
  /** What it was confirmed together with: GET /api/batches/ID. Null for what was confirmed alone. */
  batchId: z.uuid().nullable().optional(),
  /** Until when the recording is kept; null once it is deleted. */
  recordingKeptUntil: z.iso.datetime().nullable(),
  /** When it was deleted, by its owner or because its time was over; null while it is there. */
  recordingDeletedAt: z.iso.datetime().nullable(),
  /** What GET …/media sends, for example `audio/mpeg`; null when browsers cannot play it, or it is gone. */
  mediaType: z.string().nullable().optional(),
  recordingBytes: z
    .int()
    .nullable()
    .optional()
    .describe('Size of the recording as it was sent; null once it is deleted.'),
  picture: z
    .enum(['shown', 'cannot', 'left_out'])
    .nullable()
    .optional()
    .describe(
      'What browsers can show of a video: shown, or cannot where they only play its sound; left_out where its sound alone was uploaded. Null for sound, and when it is gone.',
    ),
  /** While it is transcribed or its speakers are told apart again, and a day after that has failed. */
  again: AgainRun.nullable().optional(),
  /** Of what is completed; by name. */
  tags: z.array(Tag).optional(),
})
z.globalRegistry.add(Transcription, { id: 'Transcription' })
export type Transcription = z.infer<typeof Transcription>

/** What PATCH …/summary answers. */
export const ChangedSummary = Transcription.pick({
  summary: true,
  keyPoints: true,
  keyPointTimes: true,
  keyPointQuotes: true,
  keyPointsOwn: true,
  summaryChanged: true,
})
export type ChangedSummary = z.infer<typeof ChangedSummary>

/** Where a reader of a running job is: `from` and `readTo` as the last answer gave them. */
export const SoFarQuery = z.object({
  from: z.coerce.number().int().min(0).max(1_000_000).default(0),
  readTo: z.coerce.number().min(0).max(1_000_000).default(0),
})
export type SoFarQuery = z.infer<typeof SoFarQuery>

/** The text that was read since; times in seconds. */
export const SoFar = z.object({
  /** 0 where the turns take the place of what the reader has. */
  from: z.int(),
  /** To be asked for next. */
  next: z.int(),
  readTo: z.number(),
  /** Whether it is known who speaks when; before that no turn has a speaker. */
  isToldApart: z.boolean(),
  /** Whether more is there, which is shown when the transcription is complete and paid for. */
  isHeldBack: z.boolean(),
  turns: z.array(
    z.object({
      start: z.number(),
      end: z.number(),
      speaker: z.int().nullable(),
      text: z.string(),
    }),
  ),
})
export type SoFar = z.infer<typeof SoFar>

export const DeletedMany = z.object({
  message: z.string(),
  deleted: z.array(z.uuid()).describe('POST /api/transcriptions/undelete brings them back.'),
  /** Not deleted: what is still worked on, or waits for its confirmation. */
  left: z.array(z.uuid()).describe('What is still worked on and was not deleted.'),
  restorableUntil: z.iso.datetime(),
})
export type DeletedMany = z.infer<typeof DeletedMany>

export const BroughtBack = z.object({ message: z.string(), restored: z.array(z.uuid()) })
export type BroughtBack = z.infer<typeof BroughtBack>

/** Where the words of a search were said. */
export const SearchHit = z.object({
  turnId: z.uuid(),
  /** Of the first word that was found, in seconds: `?t=ID&at=83.4&q=words` lands on it. */
  at: z.number(),
  speaker: z.string().nullable(),
  /** The number of the speaker, which has its letter and colour; null where nobody could be told apart. */
  speakerNumber: z.int().nullable(),
  /** A stretch of the turn's text, cut at words, and the places in it to mark. */
  snippet: z.string(),
  marks: z.array(z.tuple([z.int(), z.int()])),
})
export type SearchHit = z.infer<typeof SearchHit>

/** One row of a list: the transcription without its long texts. */
export const TranscriptionRow = Transcription.pick({
  id: true,
  status: true,
  waiting: true,
  originalName: true,
  duration: true,
  levels: true,
  sameAs: true,
  wordCount: true,
  language: true,
  speakers: true,
  errorMessage: true,
  errorCode: true,
  canRetry: true,
  creditsRequired: true,
  isSample: true,
  batchId: true,
  createdAt: true,
  recordedAt: true,
  filmStart: true,
  recordingKeptUntil: true,
  recordingDeletedAt: true,
  picture: true,
}).extend({
  /** By name. */
  tags: z.array(Tag),
  /** How the text begins, on one line; null while there is none. */
  firstWords: z.string().nullable(),
  /** How many words are worth checking; null where the engine does not say how sure it is. */
  wordsInDoubt: z.int().nullable(),
  /** Whether somebody without an account can read it by a link. */
  isShared: z.boolean(),
  /** Only in answers to a search: up to three places; empty when only a name was found. */
  hits: z.array(SearchHit).optional(),
  /** Only in answers to a search: in how many turns it was said. */
  places: z.int().optional(),
})
z.globalRegistry.add(TranscriptionRow, { id: 'TranscriptionRow' })
export type TranscriptionRow = z.infer<typeof TranscriptionRow>

/** The transcriptions that were confirmed together and are still there, in that order. */
export const Batch = z.object({
  id: z.uuid(),
  createdAt: z.iso.datetime().describe('When it was confirmed.'),
  transcriptions: z.array(TranscriptionRow.omit({ isShared: true })),
})
export type Batch = z.infer<typeof Batch>

/** A field that is left out stays. The name is cleaned as an upload's is. */
export const ChangeRecording = z
  .object({
    name: z.string().trim().min(1).max(255).optional(),
    recordedAt: RecordedAt.nullable()
      .optional()
      .describe(
        'When it was recorded: a day such as 2026-09-01, or a moment such as 2026-09-01T10:02:00Z. Null: nobody knows. The days of action items that were said, such as “by Friday”, are counted anew.',
      ),
    timeZone: TimeZone.optional().describe(
      'Of which time zone a moment in UTC is. Without it, the one that came with the last upload.',
    ),
  })
  .refine(({ name, recordedAt }) => name !== undefined || recordedAt !== undefined)
export type ChangeRecording = z.infer<typeof ChangeRecording>

/** Until then POST …/undelete brings it back. */
export const Deleted = z.object({ message: z.string(), restorableUntil: z.iso.datetime() })
export type Deleted = z.infer<typeof Deleted>
