/**
 * Words in, summaries and documents out. What it promises:
 *
 * - A key point names the turn it came from and a quote that stands there letter for letter, or it
 *   says that no source was found.
 * - Without a language model nothing is invented: the text consists of sentences of the transcript,
 *   in its own language, and a note says so.
 * - The text of a language model is shown only if it has passed: see check.ts and claims.ts.
 * - A language model that is down, slow or writes what does not pass only costs some time: the
 *   transcript's own sentences are used in its place, and a note says so. A document of a kind that
 *   its user has described has no such other text: the answer says why there is none.
 * - Nobody waits for a model longer than its patience, or for one that is away: then the summary is of
 *   sentences, `awaited`, and can be asked for again.
 * - A long recording has chapters: those of a model where they have passed, else those that its words
 *   tell. A model's chapters never fail its summary.
 * - Any transcript has a summary, also an empty one, and a day of speech takes seconds.
 * - Heavy work is done in a worker thread, so no request waits for it; aborting ends it at once.
 *
 * Public: chapters.ts, due.ts, languages.ts, questions.ts, segments.ts, still-proven.ts, tokens.ts, trial.ts, values/number-words.ts, values/value.ts, values/values.ts
 */
import type { Log } from '#server/log.ts'
import { runAlone, tasksIn } from '#server/threads.ts'
import { languageName } from '#shared/format.ts'

import * as answering from './answering.ts'
import { type Chat, type ChatFailure, type ChatSettings, ChatFailed, openChat } from './chat.ts'
import { isLong } from './chapters.ts'
import type {
  Chapters,
  DocumentOrder,
  DocumentAnswer,
  Summary,
  SummaryOrder,
  Writer,
} from './contract.ts'
import type * as extraction from './extractive.ts'
import { phraseLanguages, sayDoubt } from './phrases.ts'
import { guessLanguage } from './languages.ts'
import * as llm from './llm.ts'
import { countWords } from './plain.ts'
import { searchWords } from './search-words.ts'
import { FEWEST_WORDS, fillIn } from './templates.ts'
import { translate } from './translate.ts'

export type { ChatSettings } from './chat.ts'
export type { Writer } from './contract.ts'

/** Ten times the time that the longest recording needs. A task that takes more is ended. */
const MEMORY_MB = 2048
const limits = (signal: AbortSignal) => ({ signal, memoryMb: MEMORY_MB })
const task = tasksIn<typeof extraction>(new URL('./extractive.ts', import.meta.url))
/** All answers about one transcript may take this long, or as long as this many of them may. */
const WHOLE_MS = 10 * 60_000
const WHOLE_ANSWERS = 5
/**
 * The time that a translation may take besides for each token of its text: twice as long as the slowest
 * machine of language-models.ts. What is done by then is kept, and the next delivery goes on from it.
 */
const TRANSLATED_MS = 1_000
/** Somebody waits for the answer to a question: without these words it is found a little worse. */
const SEARCH_WORDS_MS = 30_000

export const WRITTEN_BY_AI = 'Written by AI from this transcript. Check it before you quote it.'

/** Writes without a language model. */
export const extractive: Writer = {
  name: 'extractive',
  summarize: (order, { signal }) => extractSummary(order, NO_MODEL, signal),
  compose: async (order, { signal }) =>
    'own' in order ? { kind: 'no_model' } : composeFromSentences(order, NO_MODEL, signal),
}

export interface WriterSettings extends ChatSettings {
  /** How long a summary is waited for; as long as it takes where it is not given. */
  patienceMs?: number
}

/** The writers of this server. `llm` is null where no model is set up. */
export function chooseWriter(
  {
    summarizer,
    llm: settings,
  }: { summarizer: 'auto' | 'llm' | 'extractive'; llm: WriterSettings | null },
  log: Log,
): Writer {
  return settings && summarizer !== 'extractive' ? modelWriter(settings, log) : extractive
}

type Answer<T> =
  | { kind: 'written'; value: T }
  | { kind: 'failed'; reason: ChatFailure | null; error: unknown }
  | { kind: 'late' }

function modelWriter(settings: WriterSettings, log: Log): Writer {
  const wholeMs = Math.max(WHOLE_MS, WHOLE_ANSWERS * settings.timeoutMs)

  /**
   * All calls of the model for one text, with a limit of time. Their cost is logged in any case.
   *
   * @throws the signal's reason
   */
  async function withModel<T>(
    what: string,
    { signal, waitMs = wholeMs }: { signal: AbortSignal; waitMs?: number | undefined },
    work: (chat: Chat, options: { signal: AbortSignal }) => Promise<T>,
  ): Promise<Answer<T>> {
    signal.throwIfAborted()
    const chat = openChat(settings, log)
    const clock = AbortSignal.timeout(waitMs)
    const facts = () => ({ what, model: settings.model, ...chat.spent() })
    try {
      const value = await work(chat, { signal: AbortSignal.any([signal, clock]) })
      log.info(facts(), 'written by the language model')
      return { kind: 'written', value }
    } catch (cause) {
      signal.throwIfAborted()
      const isSlow = clock.aborted && !(cause instanceof ChatFailed)
      const error = isSlow ? new ChatFailed('slow', cause) : cause
      const reason = error instanceof ChatFailed ? error.reason : null
      if (reason === null) log.error({ ...facts(), err: error }, 'writing by the model broke off')
      else log.warn({ ...facts(), reason }, 'language model gave no usable answer')
      return clock.aborted && waitMs < wholeMs
        ? { kind: 'late' }
        : { kind: 'failed', reason, error }
    }
  }

  return {
    name: 'llm',
    async summarize(order, { signal, isWaitedFor = false }) {
      if (order.turns.every(({ text }) => text.trim() === ''))
        return extractSummary(order, NO_ANSWER, signal)
      const waitMs = isWaitedFor ? Math.min(settings.patienceMs ?? wholeMs, wholeMs) : undefined
      const answer = await withModel('summary', { signal, waitMs }, (chat, options) =>
        llm.summarize(chat, inLanguages(order), options),
      )
      switch (answer.kind) {
        case 'written': {
          const chapters = answer.value.chapters ?? (await foundChapters(order, signal))
          return { ...answer.value, ...byModel(order), chapters }
        }
        case 'late':
          return { ...(await extractSummary(order, NOT_YET, signal)), awaited: 'slow' }
        case 'failed': {
          const extract = await extractSummary(order, NO_ANSWER, signal)
          const awaited = awaitedAfter(answer.reason)
          return awaited ? { ...extract, awaited } : extract
        }
      }
    },
    async compose(order, { signal }) {
      if (saysTooLittle(order)) return { kind: 'too_little' }
      const what = 'own' in order ? 'own' : order.kind
      const answer = await withModel(what, { signal }, (chat, options) =>
        llm.compose(chat, inLanguages(order), options),
      )
      if (answer.kind === 'written')
        return { kind: 'written', document: { ...answer.value, ...byModel(order) } }
      if ('kind' in order) return composeFromSentences(order, NO_ANSWER, signal)
      return whyNot(answer.kind === 'failed' ? answer.reason : 'slow')
    },
    async searchWords(order, { signal }) {
      const waitMs = Math.min(SEARCH_WORDS_MS, wholeMs)
      const answer = await withModel('search-words', { signal, waitMs }, (chat, options) =>
        searchWords(chat, order, options),
      )
      return answer.kind === 'written' ? answer.value : []
    },
    async answer(order, { signal, tell }) {
      const answer = await withModel('answer', { signal }, (chat, options) =>
        answering.answer(chat, order, { ...options, tell }),
      )
      return answer.kind === 'written' ? answer.value : null
    },
    async translate({ turns, terms, language, into: written }, { signal, onDone }) {
      const said = turns.map(({ text }) => text).join(' ')
      const waitMs = wholeMs + TRANSLATED_MS * llm.tokensIn(said)
      const order = { turns, terms, written, spoken: language ?? guessLanguage(said) }
      const answer = await withModel('translation', { signal, waitMs }, (chat, options) =>
        translate(chat, order, { ...options, onDone }),
      )
      if (answer.kind === 'written') return answer.value
      throw answer.kind === 'failed' ? answer.error : new ChatFailed('slow')
    },
  }
}

/** No fault of what was asked: the same may be answered later. */
function awaitedAfter(reason: ChatFailure | null): Summary['awaited'] {
  if (reason === 'slow') return 'slow'
  return reason === 'down' || reason === 'busy' ? 'away' : undefined
}

/** The note under every text of a model. */
const byModel = (order: SummaryOrder) =>
  ({ language: wantedLanguage(order), engine: 'llm', note: WRITTEN_BY_AI }) as const

const inLanguages = <Order extends SummaryOrder>(order: Order) => ({
  ...order,
  written: wantedLanguage(order),
  spoken: languageOf(order),
})

/** With so few words a model would have to invent something. */
const saysTooLittle = ({ turns }: SummaryOrder): boolean =>
  turns.reduce((sum, { text }) => sum + countWords(text), 0) < FEWEST_WORDS

function whyNot(reason: ChatFailure | null): DocumentAnswer {
  switch (reason) {
    case null:
    case 'down':
    case 'busy':
    case 'refused':
    case 'too_long':
      return { kind: 'away' }
    case 'slow':
      return { kind: 'slow' }
    case 'bounds':
    case 'invented':
    case 'language':
    case 'prompt':
    case 'repeats':
      return { kind: 'not_passed', why: reason }
    case 'cut':
      return { kind: 'not_passed', why: 'bounds' }
    case 'empty':
    case 'markup':
    case 'nonsense':
    case 'numbering':
    case 'placeholder':
      return { kind: 'not_passed', why: 'other' }
  }
}

/** Stands in a note only where a model ought to have written the text. */
export const MODEL_OF_SERVER = 'The language model of this server'
/** The reason that the note gives where no model wrote the text. */
const NO_MODEL = 'No language model is set up on this server'
const NO_ANSWER = `${MODEL_OF_SERVER} gave no usable answer`
/** True while it is still asked, and afterwards where that was in vain. */
const NOT_YET = `${MODEL_OF_SERVER} had not answered when the transcript was ready`

async function extractSummary(
  order: SummaryOrder,
  why: string,
  signal: AbortSignal,
): Promise<Summary> {
  const spoken = languageOf(order)
  const { turns, recordedOn, requestedLanguage: requested } = order
  const from = { turns, recordedOn, language: spoken }
  const {
    doubt,
    guessed,
    decisions: _,
    ...extract
  } = await runAlone(task('extract'), from, limits(signal))
  const isAsAsked = requested === 'auto' || requested === spoken
  if (doubt) {
    // These words are ours and not the recording's, so they can be in the language that was asked
    // for.
    const wanted = isAsAsked ? spoken : requested
    const written = phraseLanguages.includes(wanted) ? wanted : 'en'
    const note =
      extract.keyPoints.length > 0
        ? `The key points are sentences taken from this transcript; ${OTHERS_UNCERTAIN}.`
        : `No sentences were taken from this transcript; ${ALL_UNCERTAIN}.`
    const isMixed = extract.keyPoints.length > 0 && written !== spoken
    const points = isMixed ? ` They are in its own language (${languageName(spoken)}).` : ''
    return {
      ...extract,
      text: sayDoubt(doubt, written),
      language: written,
      engine: 'extractive',
      note: `${note}${points} ${why}.`,
    }
  }
  const shown = [...extract.keyPoints, ...extract.actionItems]
  if (extract.text === '' && shown.length === 0) {
    const note = `No sentence of this transcript can be read alone. ${why}.`
    return { ...extract, language: spoken, engine: 'extractive', note }
  }
  const note = isAsAsked
    ? `Sentences taken from this transcript. ${why}.`
    : `Sentences taken from this transcript, in its own language (${languageName(spoken)}). ` +
      `${why}, so it could not be written in ${languageName(requested)}.`
  const isWorthTelling = guessed >= GUESSED_WORTH_TELLING
  const left = `The recognizer was unsure of ${Math.round(100 * guessed)}% of the words; sentences with many of them were left out.`
  return {
    ...extract,
    language: spoken,
    engine: 'extractive',
    note: isWorthTelling ? `${note} ${left}` : note,
  }
}

async function foundChapters(order: SummaryOrder, signal: AbortSignal): Promise<Chapters | null> {
  const { turns } = order
  if (!isLong(turns)) return null
  return runAlone(task('chapters'), { turns, language: languageOf(order) }, limits(signal))
}

const OTHERS_UNCERTAIN = 'the words of most others are too uncertain'
const ALL_UNCERTAIN = 'their words are too uncertain'
/** Every engine is unsure of some words. The note mentions guesses only above this share. */
const GUESSED_WORTH_TELLING = 0.05

async function composeFromSentences(
  order: DocumentOrder,
  why: string,
  signal: AbortSignal,
): Promise<DocumentAnswer> {
  const spoken = languageOf(order)
  const from = { turns: order.turns, language: spoken }
  const material = await runAlone(task('gather'), from, limits(signal))
  const filled = fillIn(order, material)
  if (!filled) return { kind: 'too_little' }
  const note = `Put together from sentences of this transcript. ${why}.`
  return { kind: 'written', document: { ...filled, language: spoken, engine: 'extractive', note } }
}

const wantedLanguage = (order: SummaryOrder): string =>
  order.requestedLanguage === 'auto' ? languageOf(order) : order.requestedLanguage

const languageOf = ({ language, turns }: SummaryOrder): string =>
  language ?? guessLanguage(turns.map(({ text }) => text).join(' '))
