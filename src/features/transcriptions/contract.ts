import { z } from 'zod'

import { DocumentTypeId } from '#features/documents/contract.ts'
import { DEFAULT_SUMMARY_LANGUAGE, summaryLanguageCodes } from '#shared/business.ts'
import { Instant } from '#shared/instant.ts'

export const SummaryLanguage = z.enum(summaryLanguageCodes)
export type SummaryLanguage = z.infer<typeof SummaryLanguage>

/** What the form of an upload may say beside the file. Unknown fields are passed over. */
export const UploadFields = z.object({
  summaryLanguage: SummaryLanguage.default(DEFAULT_SUMMARY_LANGUAGE).describe(
    'Language of the summary; auto is the one that was spoken.',
  ),
  generateDocument: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: a document is written too, for one more credit. Professional and up.'),
  documentType: DocumentTypeId.optional().describe('One of GET /api/document-types.'),
  includeImages: z
    .enum(['true', 'false'])
    .default('false')
    .describe('true: with suggestions for images, where the type has them.'),
})

/** POST /api/upload. `duration` in whole seconds; credits. */
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
  id: z.uuid().describe('UUID.'),
  status: z
    .string()
    .describe(
      'uploading, processing, a stage in words such as “processing chunk 2/5”, summarizing, completed, or error.',
    ),
  originalName: z.string().describe('Name of the file.'),
  transcriptionText: z.string().nullable().describe('All that was said.'),
  summary: z.string().nullable().describe('The summary.'),
  keyPoints: z.array(z.string()).describe('The main points.'),
  /** Where each key point was said: same order as keyPoints; seconds, null where it is not known. */
  keyPointTimes: z.array(z.number().nullable()),
  /** The words each key point was taken from, as they were said; null where it has no such place. */
  keyPointQuotes: z.array(z.string().nullable()),
  topics: z.array(z.string()).describe('What it was about.'),
  speakers: z.array(z.string()).describe('Speaker A, Speaker B, or the names they were given.'),
  speakerSegments: z.string().nullable().describe('JSON: a list of start, end, speaker and text.'),
  duration: z.int().describe('Seconds.'),
  wordCount: z.int().nullable().describe('Words in the text.'),
  language: z.string().nullable().describe('ISO 639-1 of what was spoken.'),
  /** What recognised the words, by name; null until they are there, and for what was written by hand. */
  engine: z.string().nullable(),
  summaryLanguage: SummaryLanguage,
  /** How the summary was made; the page says so under it. */
  summaryNote: z.string().nullable(),
  errorMessage: z.string().nullable().describe('Why it failed. Its credits were returned.'),
  /**
   * Why the recording itself was refused, for example `no_speech`: another try would end the same.
   * Null when the job broke on our side, or did not fail.
   */
  errorCode: z.string().nullable(),
  /** Whether "Try again" is possible: the job broke on our side, fewer than 10 times, and its recording is still there. */
  canRetry: z.boolean(),
  creditsRequired: z.int(),
  /** The product's own recording, corrected by hand. */
  isSample: z.boolean(),
  /** What was given back when the job failed; null while nothing was. */
  creditsReturned: z.int().nullable(),
  createdAt: z.iso.datetime().describe('When it was sent.'),
  /** Until when the recording is kept; null once it is deleted. */
  recordingKeptUntil: z.iso.datetime().nullable(),
  /** When it was deleted, by its owner or because its time was over; null while it is there. */
  recordingDeletedAt: z.iso.datetime().nullable(),
  /** What GET …/media sends, for example `audio/mpeg`; null when browsers cannot play it, or it is gone. */
  mediaType: z.string().nullable().optional(),
})
z.globalRegistry.add(Transcription, { id: 'Transcription' })
export type Transcription = z.infer<typeof Transcription>

/** Where the words of a search were said. */
export const SearchHit = z.object({
  turnId: z.uuid(),
  /** Of the first word that was found, in seconds: `?t=ID&at=83.4` lands on it. */
  at: z.number(),
  speaker: z.string().nullable(),
  /** A stretch of the turn's text, cut at words, and the places in it to mark. */
  snippet: z.string(),
  marks: z.array(z.tuple([z.int(), z.int()])),
})
export type SearchHit = z.infer<typeof SearchHit>

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
}).extend({
  /** Only in answers to a search: up to three places; empty when only the name was found. */
  hits: z.array(SearchHit).optional(),
})
z.globalRegistry.add(TranscriptionRow, { id: 'TranscriptionRow' })
export type TranscriptionRow = z.infer<typeof TranscriptionRow>

/** `open`: waiting for confirmation or worked on; `finished`: completed or failed. */
export const ListStatus = z.enum(['all', 'open', 'finished', 'completed', 'error'])
export type ListStatus = z.infer<typeof ListStatus>
export const ListSort = z.enum(['newest', 'oldest', 'longest', 'shortest', 'name'])
export type ListSort = z.infer<typeof ListSort>

/** GET /api/transcriptions. `cursor` comes from the Link header of the answer before. */
export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('1 to 100 rows.'),
  offset: z.coerce
    .number()
    .int()
    .min(0)
    .max(100_000)
    .default(0)
    .describe('Rows to pass over. A cursor is faster and misses nothing.'),
  cursor: z
    .string()
    .max(2_000)
    .optional()
    .describe('X-Next-Cursor of the page before; everything else stays the same.'),
  q: z
    .string()
    .max(200)
    .optional()
    .describe('Words to search for, in names and in everything that was said.'),
  since: Instant.optional().describe('Only what was sent at this moment or later.'),
  status: ListStatus.default('all').describe(
    'open: being worked on. finished: completed or error.',
  ),
  sort: ListSort.default('newest').describe('Order of the list.'),
})

/** PATCH /api/transcriptions/{id}: the name is cleaned as an upload's is. */
export const Rename = z.object({ name: z.string().trim().min(1).max(255) })

/** DELETE /api/transcriptions/{id}: until then POST …/undelete brings it back. */
export const Deleted = z.object({ message: z.string(), restorableUntil: z.iso.datetime() })
export type Deleted = z.infer<typeof Deleted>

/** GET …/peaks: the loudest sample of each of up to 1,000 equal stretches, 0 to 255. */
export const Peaks = z.object({
  /** Null when the recording was deleted before they were made. */
  peaks: z.array(z.int()).nullable(),
  duration: z.number(),
})
export type Peaks = z.infer<typeof Peaks>

export const Speaker = z.object({
  /** Number of the speaker; turns name their speaker by it. */
  speaker: z.int(),
  /** `Speaker A`: what it is called while nobody gave it a name. */
  label: z.string(),
  name: z.string().nullable(),
  /** How long the speaker's turns are in all, in seconds. */
  talkTime: z.number(),
})
export type Speaker = z.infer<typeof Speaker>

export const WordTurn = z.object({
  id: z.uuid(),
  /** Turns stand in the order of this number, which need not be whole. */
  position: z.number(),
  /** Counts the changes of the text; sent back with an edit, so that nobody's work is overwritten. */
  revision: z.int(),
  speaker: z.int().nullable(),
  start: z.number(),
  end: z.number(),
  text: z.string(),
  /** Whether the text is not the engine's any more. */
  isEdited: z.boolean(),
  /** See words.ts: `unpackWords(turn)`. */
  words: z.array(z.int()),
})
export type WordTurn = z.infer<typeof WordTurn>

/** GET …/words */
export const Words = z.object({
  /** Counts every change of text and speakers. */
  revision: z.int(),
  /** Words with a confidence below this are worth checking; null when the engine gives none. */
  checkBelow: z.int().nullable(),
  speakers: z.array(Speaker),
  turns: z.array(WordTurn),
})
z.globalRegistry.add(Words, { id: 'Words' })
export type Words = z.infer<typeof Words>

/** What every change answers: put it into the `Words` at hand, by id, and sort by position. */
export const Edited = z.object({
  revision: z.int(),
  /** The number to undo this change by; null when nothing was changed. */
  undo: z.int().nullable(),
  /** Turns that are new or changed. */
  turns: z.array(WordTurn),
  /** Turns that are gone. */
  removed: z.array(z.uuid()),
  /** All speakers, as they are now. */
  speakers: z.array(Speaker),
  wordCount: z.int(),
  /** Then other turns moved or changed too: load the words anew. */
  reload: z.boolean(),
})
z.globalRegistry.add(Edited, { id: 'Edited' })
export type Edited = z.infer<typeof Edited>

/** 409: the turn was changed elsewhere since; nothing was written. */
export const EditConflict = z.object({
  message: z.string(),
  code: z.literal('edited_elsewhere'),
  /** The turn as it is now; null when it is gone. */
  current: WordTurn.nullable(),
})
export type EditConflict = z.infer<typeof EditConflict>

/** Nobody speaks so long without a pause; what a recogniser writes is cut into far shorter turns. */
export const MOST_TURN_CHARACTERS = 20_000
const TurnText = z.string().max(MOST_TURN_CHARACTERS)
const TurnRevision = z.int32().min(0)
const SpeakerName = z.string().trim().max(80)

export const EditText = z.object({ text: TurnText, revision: TurnRevision })
/** `at`: a place in `text`, or in the stored text where none is sent. */
export const SplitTurn = z.object({
  at: z.int32().min(0),
  revision: TurnRevision,
  text: TurnText.optional(),
})
/** Appends the turn to the one before it. `text`: what was typed into it and not saved yet. */
export const MergeTurn = z.object({
  revision: TurnRevision,
  previous: z.object({ id: z.uuid(), revision: TurnRevision }),
  text: TurnText.optional(),
})
export const RestoreTurn = z.object({ revision: TurnRevision })
export const RestoreAll = z.object({ revision: TurnRevision })
/** Numbers of words in the turn, as `unpackWords` lists them. */
export const AcceptWords = z.object({
  revision: TurnRevision,
  words: z.array(z.int32().min(0)).min(1).max(5_000),
})
/** One of the speakers, nobody (null), or somebody new by name. */
export const AssignSpeaker = z.union([
  z.strictObject({ speaker: z.int().min(0).max(999).nullable() }),
  z.strictObject({ name: SpeakerName.min(1) }),
])
/** An empty name takes the given one away. Another speaker's name makes them one. */
export const RenameSpeaker = z.object({ name: SpeakerName })
export const UndoEdit = z.object({ edit: z.int32().min(1) })

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
export const ExportFormat = z.enum(['txt', 'md', 'srt', 'vtt', 'json', 'csv', 'docx', 'pdf'])
export type ExportFormat = z.infer<typeof ExportFormat>
/** GET …/export. What a format has no place for is passed over. */
export const ExportQuery = z.object({
  format: ExportFormat.describe('The kind of file.'),
  speakers: flag.default(true).describe('Whether it says who speaks.'),
  timestamps: flag.default(true).describe('Whether it has times, where the format can do without.'),
  doubt: flag
    .default(true)
    .describe(
      'Whether txt, md, docx and pdf say how many words are in doubt, where they are many.',
    ),
  summary: flag.default(false).describe('Whether the summary comes first.'),
})

/** GET /api/engines: what recordings sent now will be worked on with. */
export const Engines = z.object({
  /** `languages` as ISO 639-1 codes; null when any language is recognised, or nobody here knows. */
  speech: z.object({
    name: z.string(),
    /** What the engine recognises with, where an operator chose it. */
    model: z.string().optional(),
    languages: z.array(z.string()).nullable(),
    /** Words come without times of their own, so that theirs are estimates. */
    estimatesTimes: z.literal(true).optional(),
    note: z.string().nullable(),
  }),
  writing: z.object({ name: z.string(), note: z.string().nullable() }),
})
export type Engines = z.infer<typeof Engines>
