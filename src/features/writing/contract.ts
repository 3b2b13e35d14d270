/** The orders and answers of the writing room. Turns are plain text with a place in the recording. */
export interface WritingTurn {
  speaker: string | null
  startMs: number
  endMs: number
  text: string
  /**
   * The words of the text in order, where the recogniser gave them: passages then begin at their
   * true time and doubtful words count less. Without them times are estimated from the text.
   */
  words?: readonly WritingWord[]
}

/** One recognised word; times in ms from the start of the recording. */
interface WritingWord {
  text: string
  startMs: number
  endMs: number
  /** Probability that the word is right, 0 to 1; null where the engine does not say. */
  confidence: number | null
}

/** How long a summary is to be; `medium` where nobody says so. */
export const summaryLengths = ['short', 'medium', 'long'] as const
export type SummaryLength = (typeof summaryLengths)[number]

/** A transcript, and the language in which something is to be written about it. */
export interface SummaryOrder {
  turns: readonly WritingTurn[]
  /** ISO 639-1 of what was spoken; null when it is not known. */
  language: string | null
  /** ISO 639-1 of the summary asked for; `auto` is the language that was spoken. */
  requestedLanguage: string
  length?: SummaryLength | undefined
  /** The day from which "by Friday" counts, as YYYY-MM-DD; without it no day is worked out from it. */
  recordedOn?: string | undefined
}

export interface KeyPoint {
  text: string
  /** The turns it came from, as indexes into the turns that were given; none without a source. */
  turns: number[]
  /** Words of one of these turns, letter for letter; null where no source was found. */
  quote: string | null
  /** When the quote begins. */
  startMs: number | null
}

export interface Chapter {
  title: string
  startMs: number
}

/** In order. `words`: found without a model. */
export interface Chapters {
  by: 'model' | 'words'
  list: Chapter[]
}

/** Something that somebody promised to do, or was asked to do. */
export interface ActionItem {
  text: string
  /** A speaker, as the turns name them, or a name that was said; null where nobody was named. */
  who: string | null
  /** By when, as it was said; null where that was not said. */
  due: string | null
  /** The day that it means, as YYYY-MM-DD; null where that is not sure. */
  dueDate: string | null
  /** Words of one turn, letter for letter. */
  quote: string
  startMs: number
  /** Whether the text is what was said, maybe with the sentence before, and not written by a model. */
  isSentence: boolean
}

export interface Summary {
  text: string
  keyPoints: KeyPoint[]
  topics: string[]
  /** In the order in which they were said. */
  actionItems?: ActionItem[]
  /** ISO 639-1 of what was written. */
  language: string
  engine: WriterName
  /** Shown under the summary: says whether a model wrote it or it is made of the transcript. */
  note: string
  /** Where a long recording turns to something else; absent or null where none were found. */
  chapters?: Chapters | null
  /** The kind of the text: a summary, or only sentences that do not sum up the recording. */
  kind?: SummaryKind
  /** Why the model is asked again later: it had not answered in time, or no server answered. */
  awaited?: 'slow' | 'away'
}

export type SummaryKind = 'summary' | 'sentences'

type WriterName = 'extractive' | 'llm'

/** A question, and the one that was asked before it, from which it may go on: "And when?" */
interface Asked {
  question: string
  before: { question: string; answer: string | null } | null
}

/** A question of which the words are wanted that an answer would have. */
export interface SearchOrder extends Asked {
  /** ISO 639-1 of what was spoken, the most frequent first. */
  languages: readonly string[]
}

/** A question about recordings, with passages that may answer it. */
export interface QuestionOrder extends Asked {
  /** Passages with the name of their recording; the best first. */
  passages: readonly (WritingTurn & { name: string })[]
  /** ISO 639-1 of what was spoken. */
  language: string
  /** Whether the passages come from several recordings. */
  isOfMany: boolean
}

/** A sentence with its proof: places in the passages; none where no words there prove it. */
export interface ProvenSentence {
  text: string
  quotes: { passage: number; from: number; to: number }[]
}

/** The answer of a model; without a sentence, it found none in the passages. */
export interface ModelAnswer {
  sentences: ProvenSentence[]
  /** The space between two sentences in its language. */
  gap: '' | ' '
  /** The part of the question that the passages do not answer. */
  notSaid: string | null
  /** Whether all passages were given to the model: those that have no room are left out. */
  hasReadAll: boolean
}

/** The writer: a language model, or the engine that picks the transcript's own sentences. */
export interface Writer {
  name: WriterName
  /** Rejects with the signal's reason when it is aborted. A model that fails does not reject it. */
  summarize(order: SummaryOrder, options: SummaryOptions): Promise<Summary>
  /** A document. One of a kind that its user has described only a language model can write. */
  compose(
    order: DocumentOrder | OwnOrder,
    options: { signal: AbortSignal },
  ): Promise<DocumentAnswer>
  /**
   * Words to look for besides those of a question; none where the model gave none in time. Only with
   * a language model.
   */
  searchWords?(order: SearchOrder, options: { signal: AbortSignal }): Promise<string[]>
  /**
   * Answers a question, and tells each sentence as soon as it has passed the checks. Null where there
   * is no answer that can be shown. Only a language model can; without one it is not there.
   */
  answer?(
    order: QuestionOrder,
    options: { signal: AbortSignal; tell: (sentence: ProvenSentence) => void },
  ): Promise<ModelAnswer | null>
  /**
   * Absent without a model. `unfit`: more of it failed than may be left out. `stopped`: `onDone` said
   * so. Rejects where the model cannot be asked, so that it is tried again later.
   */
  translate?(
    order: TranslationOrder,
    options: TranslationOptions,
  ): Promise<'translated' | 'unfit' | 'stopped'>
}

/** A transcript to be translated, turn by turn. */
export interface TranslationOrder {
  turns: readonly Pick<WritingTurn, 'speaker' | 'text'>[]
  /** ISO 639-1 of what was spoken; null when it is not known. */
  language: string | null
  /** ISO 639-1 of the translation. */
  into: string
  /** Names and terms that are written in it as they are here. */
  terms: readonly string[]
}

export interface TranslationOptions {
  signal: AbortSignal
  /** Hears of turns that are done, in order; false stops the work. */
  onDone: (turns: TranslatedTurn[]) => Promise<boolean>
}

export interface TranslatedTurn {
  /** As an index into the turns that were given. */
  turn: number
  /** Null where it could not be translated: it stays as it is. */
  parts: TranslatedPart[] | null
}

/** A turn, or some sentences of a long one. */
export interface TranslatedPart {
  text: string
  /** How many letters, without spaces, of the turn it stands for. */
  letters: number
  /** Whether it could not all be compared with the original, and is worth a look. */
  isUnsure?: boolean
}

export interface SummaryOptions {
  signal: AbortSignal
  /** Whether somebody waits for the text that it belongs to: then a model has less time. */
  isWaitedFor?: boolean
}

interface Recorded extends SummaryOrder {
  /** The name of the recording. */
  name: string
  durationMs: number
}

export interface DocumentOrder extends Recorded {
  kind: DocumentKindId
  /** Asks for images; ignored for a kind of document that has none. */
  withImages: boolean
}

export interface OwnOrder extends Recorded {
  own: OwnKind
}

/** A kind of document as its user has described it. */
export interface OwnKind {
  name: string
  /** The user's own instructions for the document. */
  instructions: string
  length: OwnLength
  parts: readonly OwnPart[]
}

/** How many words a document of one's own may have; where little was said, it may have fewer. */
export const ownLengths = {
  short: { minWords: 60, maxWords: 200 },
  middle: { minWords: 150, maxWords: 500 },
  long: { minWords: 400, maxWords: 1200 },
} as const
export type OwnLength = keyof typeof ownLengths

/**
 * The facts of the recording that a document of one's own shows. The model is not told those that are
 * left out, or they are taken out of its text: who spoke, the words as they were said, when they were
 * said, and the recording's name, date and length.
 */
export const ownParts = ['speakers', 'quotes', 'times', 'facts'] as const
export type OwnPart = (typeof ownParts)[number]

/**
 * A document, or why there is none. Of a kind that its user has described there is no other text in
 * the place of one that a model did not write as it was asked to: this alone can have the kinds after
 * the second.
 */
export type DocumentAnswer =
  | { kind: 'written'; document: Composed }
  | { kind: 'too_little' }
  | { kind: 'no_model' }
  /** No server answers there, or only with errors. */
  | { kind: 'away' }
  | { kind: 'slow' }
  | { kind: 'not_passed'; why: OwnFlaw }

/** Why an answer may not be shown, as far as another description may help. */
export type OwnFlaw = 'bounds' | 'invented' | 'language' | 'prompt' | 'repeats' | 'other'

/** A document as Markdown: headings from the second level on, lists, quotes and bold; no links, no HTML. */
export interface Composed {
  title: string
  content: string
  wordCount: number
  /** ISO 639-1 of what was written. */
  language: string
  engine: WriterName
  note: string
}

/** A kind of document, as it is offered. The order is the one they are shown in. */
export const documentKinds = [
  {
    id: 'meeting-minutes',
    name: 'Meeting minutes',
    icon: 'Users',
    description: 'Who was there, what was said, what was decided and what is still open.',
    includeImages: false,
    minWords: 120,
    maxWords: 900,
  },
  {
    id: 'article',
    name: 'Article',
    icon: 'FileText',
    description: 'A readable piece about the recording, with the best quotes in their place.',
    includeImages: true,
    minWords: 250,
    maxWords: 1200,
  },
  {
    id: 'structured-notes',
    name: 'Structured notes',
    icon: 'AlignLeft',
    description: 'The course of the recording in short points under headings, with times.',
    includeImages: false,
    minWords: 120,
    maxWords: 900,
  },
  {
    id: 'show-notes',
    name: 'Show notes',
    icon: 'AlignLeft',
    description: 'For the page of an episode: its subject, its moments and its quotes.',
    includeImages: false,
    minWords: 80,
    maxWords: 500,
  },
  {
    id: 'key-insights',
    name: 'Key insights',
    icon: 'Brain',
    description: 'What is worth remembering, each point with the words it rests on.',
    includeImages: false,
    minWords: 80,
    maxWords: 600,
  },
  {
    id: 'marketing-brief',
    name: 'Marketing brief',
    icon: 'TrendingUp',
    description: 'Message, audience, proof and quotes to build a campaign on.',
    includeImages: true,
    minWords: 120,
    maxWords: 700,
  },
  {
    id: 'follow-up-email',
    name: 'Follow-up email',
    icon: 'Mail',
    description: 'A short mail to those who took part: what was said and what comes next.',
    includeImages: false,
    minWords: 60,
    maxWords: 300,
  },
  {
    id: 'social-posts',
    name: 'Social posts',
    icon: 'Share2',
    description: 'Up to six short posts, each of which can stand alone.',
    includeImages: true,
    minWords: 50,
    maxWords: 400,
  },
] as const satisfies readonly DocumentKind[]

export interface DocumentKind {
  id: string
  name: string
  icon: 'FileText' | 'AlignLeft' | 'Brain' | 'TrendingUp' | 'Users' | 'Mail' | 'Share2'
  description: string
  includeImages: boolean
  /** The fewest words of a document; where little was said, it may have fewer. */
  minWords: number
  maxWords: number
}

export type DocumentKindId = (typeof documentKinds)[number]['id']
export const documentKindIds = documentKinds.map(({ id }) => id)

export function kindOf(id: DocumentKindId): DocumentKind {
  const kind = documentKinds.find((one) => one.id === id)
  if (!kind) throw new Error(`there is no kind of document called ${id}`)
  return kind
}
