/**
 * Words in, summaries and documents out. What it promises:
 *
 * - A key point names the turn it came from and a quote that stands there letter for letter, or it
 *   says that no source was found.
 * - Without a language model nothing is invented: the text consists of sentences of the transcript,
 *   in its own language, and a note says so.
 * - What a language model writes is shown only if it has passed: see check.ts and claims.ts.
 * - A language model that is down, slow or writes what does not pass only costs some time: the
 *   transcript's own sentences are used in its place, and a note says so. A document of a kind that
 *   its user has described has no such other text: the answer says why there is none.
 * - Nobody waits for a model longer than its patience: then the summary is of sentences, `isLate`,
 *   and can be asked for again.
 * - A long recording has chapters: those of a model where they have passed, else those that its words
 *   tell. A model's chapters never fail its summary.
 * - Any transcript has a summary, also an empty one, and a day of speech takes seconds.
 * - Heavy work is done in a worker thread, so no request waits for it; aborting ends it at once.
 *
 * Public: chapters.ts, claims.ts, languages.ts, tokens.ts, trial.ts
 */
import { createHash } from 'node:crypto'

import type { Log } from '#server/log.ts'
import { runAlone, tasksIn } from '#server/threads.ts'
import { languageName } from '#shared/format.ts'

import * as answering from './answering.ts'
import { type ChatFailure, type ChatSettings, ChatFailed, openChat } from './chat.ts'
import { isLong } from './chapters.ts'
import type {
  Chapters,
  Composed,
  DocumentOrder,
  OwnAnswer,
  Summary,
  SummaryOptions,
  SummaryOrder,
  Writer,
} from './contract.ts'
import type * as extraction from './extractive.ts'
import { phraseLanguages, sayDoubt } from './phrases.ts'
import { guessLanguage } from './languages.ts'
import * as llm from './llm.ts'
import { countWords } from './plain.ts'
import { FEWEST_WORDS, fillIn } from './templates.ts'
import { translate } from './translate.ts'

export type { ChatSettings } from './chat.ts'
export type { Writer } from './contract.ts'

/** Ten times what the longest recording needs. A task that takes more is ended. */
const MEMORY_MB = 2048
const limits = (signal: AbortSignal) => ({ signal, memoryMb: MEMORY_MB })
const task = tasksIn<typeof extraction>(new URL('./extractive.ts', import.meta.url))
/** All answers about one transcript may take this long, or as long as this many of them may. */
const WHOLE_MS = 10 * 60_000
const WHOLE_ANSWERS = 5
/**
 * What a translation may take besides for each token of its text: twice as long as the slowest
 * machine of language-models.ts. What is done by then is kept, and the next delivery goes on from it.
 */
const TRANSLATED_MS = 1_000
/** For how many transcripts the notes on their parts are kept for another try. */
const MOST_KEPT = 20

export const WRITTEN_BY_AI = 'Written by AI from this transcript. Check it before you quote it.'

/** Rejects with the signal's reason when it is aborted, also before the work begins. */
export async function summarize(order: SummaryOrder, options: SummaryOptions): Promise<Summary> {
  return extractSummary(order, NO_MODEL, options.signal)
}

/** Writes without a language model. */
export const extractive: Writer = {
  name: 'extractive',
  summarize,
  compose: (order, { signal }) => composeFromSentences(order, NO_MODEL, signal),
  composeOwn: async () => ({ kind: 'no_model' }),
}

export interface WriterSettings extends ChatSettings {
  /** How long a summary is waited for; as long as it takes where it is not given. */
  patienceMs?: number
}

/** Who writes on this server. `llm` is null where no model is set up. */
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
  | { kind: 'failed'; reason: ChatFailure | null }
  | { kind: 'late' }
type Chat = ReturnType<typeof openChat>

function modelWriter(settings: WriterSettings, log: Log): Writer {
  const wholeMs = Math.max(WHOLE_MS, WHOLE_ANSWERS * settings.timeoutMs)
  const kept = new Map<string, llm.Kept>()

  function keptOf(order: SummaryOrder): llm.Kept {
    const key = keyOf(order)
    const known = kept.get(key) ?? new Map()
    kept.delete(key)
    kept.set(key, known)
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    return known
  }

  /** What it has cost is logged in any case. */
  async function withModel<T>(
    what: string,
    order: SummaryOrder,
    { signal, waitMs = wholeMs }: { signal: AbortSignal; waitMs?: number | undefined },
    work: (chat: Chat, options: { signal: AbortSignal; kept: llm.Kept }) => Promise<T>,
  ): Promise<Answer<T>> {
    const chat = openChat(settings, log)
    const clock = AbortSignal.timeout(Math.min(waitMs, wholeMs))
    try {
      const within = AbortSignal.any([signal, clock])
      const value = await work(chat, { signal: within, kept: keptOf(order) })
      kept.delete(keyOf(order))
      log.info({ what, model: settings.model, ...chat.spent() }, 'written by the language model')
      return { kind: 'written', value }
    } catch (error) {
      signal.throwIfAborted()
      const reason = error instanceof ChatFailed ? error.reason : clock.aborted ? 'slow' : null
      const facts = { what, model: settings.model, reason, ...chat.spent() }
      if (reason === null) log.error({ ...facts, err: error }, 'language model could not be used')
      else log.warn(facts, 'language model gave no usable answer')
      return clock.aborted && waitMs < wholeMs ? { kind: 'late' } : { kind: 'failed', reason }
    }
  }

  return {
    name: 'llm',
    async summarize(order, { signal, isWaitedFor = false }) {
      signal.throwIfAborted()
      const written = wantedLanguage(order)
      if (order.turns.every(({ text }) => text.trim() === ''))
        return extractSummary(order, NO_ANSWER, signal)
      const waitMs = isWaitedFor ? settings.patienceMs : undefined
      const answer = await withModel('summary', order, { signal, waitMs }, (chat, options) =>
        llm.summarize(chat, { ...order, written, spoken: languageOf(order) }, options),
      )
      switch (answer.kind) {
        case 'written': {
          const chapters = answer.value.chapters ?? (await foundChapters(order, signal))
          const made = { language: written, engine: 'llm', note: WRITTEN_BY_AI } as const
          return { ...answer.value, ...made, chapters }
        }
        case 'late':
          return { ...(await extractSummary(order, NOT_YET, signal)), isLate: true }
        case 'failed':
          return extractSummary(order, NO_ANSWER, signal)
      }
    },
    async compose(order, { signal }) {
      signal.throwIfAborted()
      const written = wantedLanguage(order)
      if (saysTooLittle(order)) return null
      const answer = await withModel(order.kind, order, { signal }, (chat, options) =>
        llm.compose(chat, { ...order, written, spoken: languageOf(order) }, options),
      )
      if (answer.kind !== 'written') return composeFromSentences(order, NO_ANSWER, signal)
      return { ...answer.value, language: written, engine: 'llm', note: WRITTEN_BY_AI }
    },
    async answer(order, { signal, tell }) {
      signal.throwIfAborted()
      const chat = openChat(settings, log)
      const facts = () => ({ what: 'answer', model: settings.model, ...chat.spent() })
      try {
        const answer = await answering.answer(chat, order, { signal, tell })
        if (answer) log.info(facts(), 'written by the language model')
        else log.warn(facts(), 'language model gave no usable answer')
        return answer
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof ChatFailed)
          log.warn({ ...facts(), reason: error.reason }, 'language model gave no usable answer')
        else log.error({ ...facts(), err: error }, 'language model could not be used')
        return null
      }
    },
    async composeOwn(order, { signal }) {
      signal.throwIfAborted()
      const written = wantedLanguage(order)
      if (saysTooLittle(order)) return { kind: 'too_little' }
      const answer = await withModel('own', order, { signal }, (chat, options) =>
        llm.compose(chat, { ...order, written, spoken: languageOf(order) }, options),
      )
      if (answer.kind !== 'written')
        return whyNot(answer.kind === 'failed' ? answer.reason : 'slow')
      const document: Composed = {
        ...answer.value,
        language: written,
        engine: 'llm',
        note: WRITTEN_BY_AI,
      }
      return { kind: 'written', document }
    },
    async translate({ turns, terms, language, into: written }, { signal, onDone }) {
      const chat = openChat(settings, log)
      const said = turns.map(({ text }) => text).join(' ')
      const spoken = language ?? guessLanguage(said)
      const facts = { what: 'translation', model: settings.model }
      const clock = AbortSignal.timeout(wholeMs + TRANSLATED_MS * llm.tokensIn(said))
      const within = AbortSignal.any([signal, clock])
      try {
        const order = { turns, terms, written, spoken }
        const outcome = await translate(chat, order, { signal: within, onDone })
        log.info({ ...facts, outcome, ...chat.spent() }, 'written by the language model')
        return outcome
      } catch (error) {
        signal.throwIfAborted()
        const failed = clock.aborted ? new ChatFailed('slow', error) : error
        const reason = failed instanceof ChatFailed ? failed.reason : null
        log.warn({ ...facts, reason, ...chat.spent() }, 'language model gave no usable answer')
        throw failed
      }
    },
  }
}

/** With so few words a model would have to invent something. */
const saysTooLittle = ({ turns }: SummaryOrder): boolean =>
  turns.reduce((sum, { text }) => sum + countWords(text), 0) < FEWEST_WORDS

function whyNot(reason: ChatFailure | null): OwnAnswer {
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

const keyOf = ({ turns }: SummaryOrder): string =>
  createHash('sha256')
    .update(JSON.stringify(turns.map(({ speaker, text }) => [speaker, text])))
    .digest('base64url')

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
  const { turns, recordedAt, requestedLanguage: requested } = order
  const from = { turns, recordedAt, language: spoken }
  const { doubt, guessed, ...extract } = await runAlone(task('extract'), from, limits(signal))
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
  if (extract.text === '' && extract.keyPoints.length === 0) {
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
): Promise<Composed | null> {
  const spoken = languageOf(order)
  const from = { turns: order.turns, language: spoken }
  const material = await runAlone(task('gather'), from, limits(signal))
  const filled = fillIn(order, material)
  return (
    filled && {
      ...filled,
      language: spoken,
      engine: 'extractive',
      note: `Put together from sentences of this transcript. ${why}.`,
    }
  )
}

const wantedLanguage = (order: SummaryOrder): string =>
  order.requestedLanguage === 'auto' ? languageOf(order) : order.requestedLanguage

const languageOf = ({ language, turns }: SummaryOrder): string =>
  language ?? guessLanguage(turns.map(({ text }) => text).join(' '))
