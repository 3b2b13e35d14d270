/**
 * Sentences in which somebody says that they will do something, or asks somebody for it. What each
 * language says for that is in languages.yaml. A sentence is rather left out than shown wrongly:
 * "I'll never forget that" promises nothing, and "I'll call you if it rains" may never be done.
 *
 * Promise: an action item is shown with the words it rests on (decision 066).
 */
import { LONGEST_ACTION } from '#shared/business.ts'

import type { ActionItem, WritingTurn } from './contract.ts'
import { dueIn } from './due.ts'
import type { Language } from './languages.ts'
import type { Sentence } from './sentences.ts'
import { isThing, LEAST_STANDING, pointing } from './standing.ts'
import type { Token } from './tokens.ts'

/** A sentence that is whole, sure, and fit to be read alone as `text`. */
interface Whole {
  sentence: Sentence
  text: string
}

interface Recorded {
  turns: readonly WritingTurn[]
  /** Sentences that are sure, also pieces and questions, in the order in which they were said. */
  sure: readonly Whole[]
  language: Language
  recordedOn: string | undefined
}

const FEWEST_WORDS = 4
const MOST_WORDS = 35
/** A list of more is no list that somebody works through. */
const MOST_FOUND = 30

/** In the order in which they were said, each once. */
export function commitmentsIn(sentences: readonly Whole[], recorded: Recorded): ActionItem[] {
  const found = sentences
    .toSorted(({ sentence: a }, { sentence: b }) => a.turn - b.turn || a.start - b.start)
    .flatMap((one) => commitmentIn(one, recorded) ?? [])
  const isFound = ({ sentence }: Whole) => found.some((one) => one.sentence === sentence)
  return withoutAnswered(found, recorded)
    .slice(0, MOST_FOUND)
    .map(({ item, sentence, from }) => {
      const before = isBare(sentence, recorded) ? beforeOf(from, recorded) : undefined
      const text = before && !isFound(before) ? `${before.text} ${item.text}` : item.text
      return text.length > LONGEST_ACTION ? item : { ...item, text }
    })
}

interface Found {
  item: ActionItem
  sentence: Sentence
  isRequest: boolean
}

/** How many sentences, and turns, before a task say what its "it" is. */
const SENTENCES_BACK = 3
const TURNS_BACK = 4

/** "I will send it to you.": what? */
const isBare = ({ tokens, text }: Sentence, { language }: Recorded): boolean =>
  pointing(tokens, small(text, language), language) < LEAST_STANDING

/** The nearest sentence before that names a thing, or somebody who is not there. */
function beforeOf(from: Sentence, { turns, language, sure }: Recorded): Whole | undefined {
  const names = new Set(turns.flatMap(({ speaker }) => speaker?.split(/\s+/) ?? []))
  const at = sure.findIndex(({ sentence }) => sentence === from)
  return sure
    .slice(Math.max(0, at - SENTENCES_BACK), at)
    .filter(({ sentence: { turn } }) => turn >= from.turn - TURNS_BACK)
    .findLast(({ sentence: { tokens } }) =>
      tokens.some((token) => isThing(token, language) && !names.has(token.text)),
    )
}

/** How many turns after a request its promise may come. */
const SOON = 2

/**
 * "Can you send me the figures?" "I will send them by Thursday." is one task: the request says what, the
 * promise who and when. Without words that point back in a language both are kept.
 */
function withoutAnswered(found: readonly Found[], { turns, language }: Recorded) {
  const { pronouns } = language.standing
  const hasPronoun = ({ sentence }: Found) =>
    sentence.tokens.some(({ lower }) => pronouns.has(lower))
  // What is shown of each, and where it was first spoken of.
  const kept = new Map(
    found.map(({ item, sentence }) => [sentence, { item, sentence, from: sentence }]),
  )
  for (const request of pronouns.size === 0 ? [] : found) {
    const speaker = turns[request.sentence.turn]?.speaker
    const promise = found.find(
      (other) =>
        request.isRequest &&
        !other.isRequest &&
        other.sentence.turn > request.sentence.turn &&
        other.sentence.turn <= request.sentence.turn + SOON &&
        turns[other.sentence.turn]?.speaker !== speaker &&
        hasSameVerb(request.sentence, other.sentence),
    )
    const promised = promise && kept.get(promise.sentence)
    if (!promise || !promised) continue
    const { who, due, dueDate } = promised.item
    const when = due === null ? {} : { due, dueDate }
    const isToldByRequest = hasPronoun(promise) || saysNoMore(promise, request)
    const one =
      isToldByRequest && !hasPronoun(request)
        ? { item: { ...request.item, who, ...when }, sentence: request.sentence }
        : promised
    kept.set(request.sentence, { ...one, from: request.sentence })
    kept.delete(promise.sentence)
  }
  return [...kept.values()]
}

const isSaying = ({ kind }: Token): boolean =>
  kind !== 'function' && kind !== 'number' && kind !== 'name'

/** "A list of the oldest lamps" says more than "the list". */
function saysNoMore({ sentence: promise }: Found, { sentence: request }: Found): boolean {
  const stems = new Set(request.tokens.map(({ stem }) => stem))
  return promise.tokens.filter(isSaying).every(({ stem }) => stems.has(stem))
}

/** Whether both say the same verb, or the same noun. */
function hasSameVerb(a: Sentence, b: Sentence): boolean {
  const stems = new Set(a.tokens.filter(isSaying).map(({ stem }) => stem))
  return b.tokens.some((token) => isSaying(token) && stems.has(token.stem))
}

function commitmentIn({ sentence, text }: Whole, recorded: Recorded): Found | null {
  const { language, recordedOn } = recorded
  const { length } = sentence.tokens
  if (length < FEWEST_WORDS || length > MOST_WORDS || text.length > LONGEST_ACTION) return null
  // The sentence as it was said: its first words, which are not read, may say that it is done now.
  if (language.commitments.doubts.test(small(sentence.text, language))) return null
  const task = taskIn({ sentence, text }, recorded)
  if (!task) return null
  // Reading a date takes longer than all of this, so it is done last.
  const when = dueIn(text, { language: language.code, recordedOn })
  if (task.needsDay && !when) return null
  const { due = null, dueDate = null } = when ?? {}
  const { text: quote, startMs } = sentence
  const item = { text, who: task.who, due, dueDate, quote, startMs, isSentence: true }
  return { item, sentence, isRequest: task.isRequest }
}

const small = (text: string, { code }: Language): string =>
  text.toLocaleLowerCase(code || undefined)

interface Task {
  who: string | null
  /** A task of everybody, or of a word that may be no name, needs a day: without one it is an opinion. */
  needsDay: boolean
  isRequest: boolean
}

function taskIn({ sentence, text }: Whole, { turns, language }: Recorded): Task | null {
  const { promise, request, joint } = language.commitments
  const bare = small(text, language)
  const speaker = turns[sentence.turn]?.speaker ?? null
  const other = { needsDay: false, isRequest: false }
  if (promise.test(bare)) return { ...other, who: speaker }
  if (request.test(bare)) {
    if (isDeclined(sentence, turns, language) || isToAll(turns)) return null
    const who = addressee(sentence, turns, language) ?? listener(speaker, turns)
    return { ...other, who, isRequest: true }
  }
  const who = dutyOf(sentence, language)
  if (who !== null) return { ...other, who }
  const likely = likelyDutyOf(sentence, language)
  if (likely !== null) return { ...other, who: likely, needsDay: true }
  return joint.test(bare) ? { ...other, who: null, needsDay: true } : null
}

/** One who speaks this share of a recording in which others speak too gives a talk. */
const MOST_OF_ONE = 0.8
/** With fewer letters it is an exchange of two sentences. */
const LEAST_TALK = 200

/** A lecturer's "please bring boots" is a task of all who listen, and of nobody who speaks. */
function isToAll(turns: readonly WritingTurn[]): boolean {
  const letters = new Map<string | null, number>()
  for (const { speaker, text } of turns)
    letters.set(speaker, (letters.get(speaker) ?? 0) + text.length)
  const all = [...letters.values()].reduce((sum, count) => sum + count, 0)
  return letters.size > 1 && all >= LEAST_TALK && Math.max(...letters.values()) > MOST_OF_ONE * all
}

/** "Can you send it?" "No, I am away." */
function isDeclined(
  { turn }: Sentence,
  turns: readonly WritingTurn[],
  language: Language,
): boolean {
  const answer = turns[turn + 1]
  if (!answer || answer.speaker === turns[turn]?.speaker) return false
  return language.commitments.decline.test(answer.text.trim())
}

/** The person who is called by name: "Ben, can you send it?", "Can you send it, Ben?" */
function addressee(
  { tokens, text, start }: Sentence,
  turns: readonly WritingTurn[],
  language: Language,
): string | null {
  const names = new Set(turns.flatMap(({ speaker }) => speaker?.split(/\s+/) ?? []))
  const isCalled = (token: Token) => isName(token) || names.has(token.text)
  const [first] = tokens
  const last = tokens.at(-1)
  const after = first ? text.slice(first.end - start) : ''
  if (first && isCalled(first) && after.startsWith(',')) return nameOf([first], language)
  const before = last ? text.slice(0, last.start - start) : ''
  return last && isCalled(last) && /,\s*$/.test(before) ? nameOf([last], language) : null
}

/** Of two people, the one who is not speaking. */
function listener(speaker: string | null, turns: readonly WritingTurn[]): string | null {
  const all = new Set(turns.map((turn) => turn.speaker))
  if (speaker === null || all.has(null) || all.size !== 2) return null
  return [...all].find((one) => one !== speaker) ?? null
}

/** The person who has the task: "Ben will send the list." */
function dutyOf({ tokens, text, start }: Sentence, language: Language): string | null {
  for (const [index, token] of tokens.entries()) {
    const rest = small(text.slice(token.end - start), language)
    if (!isName(token) || !language.commitments.duty.test(rest)) continue
    let from = index
    while (from > 0 && isName(tokens[from - 1])) from -= 1
    // "Our technician Paul will" is about him; "the house of Ben will" and "I hope Ben will" are not.
    const ahead = tokens[from - 1]
    const before = text.slice(0, (tokens[from]?.start ?? start) - start)
    const isAbout =
      !ahead ||
      ahead.kind === 'noun' ||
      language.openers.has(ahead.lower) ||
      /[,;:]\s*$/.test(before)
    if (!isAbout) continue
    return nameOf(tokens.slice(from, index + 1), language)
  }
  return null
}

/** A first word that may be a name which the tagger does not know: "Priya will send the list." */
function likelyDutyOf({ tokens: [first], text, start }: Sentence, language: Language) {
  if (!first || !/^\p{Lu}/u.test(first.text) || language.stopWords.has(first.lower)) return null
  const rest = small(text.slice(first.end - start), language)
  return language.commitments.duty.test(rest) ? first.text : null
}

const isName = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind === 'name' || token.isForename)

const nameOf = (tokens: readonly Token[], { code }: Language): string =>
  tokens
    .map(({ text }) => text.charAt(0).toLocaleUpperCase(code || undefined) + text.slice(1))
    .join(' ')
