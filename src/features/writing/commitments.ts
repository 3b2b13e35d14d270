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
import type { Token } from './tokens.ts'

/** A sentence that is whole, sure, and fit to be read alone as `text`. */
interface Whole {
  sentence: Sentence
  text: string
}

interface Recorded {
  turns: readonly WritingTurn[]
  language: Language
  recordedOn: string | undefined
}

const FEWEST_WORDS = 4
const MOST_WORDS = 35
/** A list of more is no list that somebody works through. */
const MOST_FOUND = 30

/** In the order in which they were said, each once. */
export function commitmentsIn(sentences: readonly Whole[], recorded: Recorded): ActionItem[] {
  const items = sentences
    .toSorted(({ sentence: a }, { sentence: b }) => a.turn - b.turn || a.start - b.start)
    .flatMap((one) => commitmentIn(one, recorded) ?? [])
  return items.slice(0, MOST_FOUND)
}

function commitmentIn({ sentence, text }: Whole, recorded: Recorded): ActionItem | null {
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
  return { text, who: task.who, due, dueDate, quote, startMs, isSentence: true }
}

const small = (text: string, { code }: Language): string =>
  text.toLocaleLowerCase(code || undefined)

interface Task {
  who: string | null
  /** A task of everybody, or of a word that may be no name, needs a day: without one it is an opinion. */
  needsDay: boolean
}

function taskIn({ sentence, text }: Whole, { turns, language }: Recorded): Task | null {
  const { promise, request, joint } = language.commitments
  const bare = small(text, language)
  const speaker = turns[sentence.turn]?.speaker ?? null
  if (promise.test(bare)) return { who: speaker, needsDay: false }
  if (request.test(bare) && isDeclined(sentence, turns, language)) return null
  if (request.test(bare))
    return { who: addressee(sentence, language) ?? other(speaker, turns), needsDay: false }
  const who = dutyOf(sentence, language)
  if (who !== null) return { who, needsDay: false }
  const likely = likelyDutyOf(sentence, language)
  if (likely !== null) return { who: likely, needsDay: true }
  return joint.test(bare) ? { who: null, needsDay: true } : null
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
function addressee({ tokens, text, start }: Sentence, language: Language): string | null {
  const [first] = tokens
  const last = tokens.at(-1)
  const after = first ? text.slice(first.end - start) : ''
  if (first && isName(first) && after.startsWith(',')) return nameOf([first], language)
  const before = last ? text.slice(0, last.start - start) : ''
  return last && isName(last) && /,\s*$/.test(before) ? nameOf([last], language) : null
}

/** Of two people, the one who is not speaking. */
function other(speaker: string | null, turns: readonly WritingTurn[]): string | null {
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
