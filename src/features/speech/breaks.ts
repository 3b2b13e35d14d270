/**
 * Where a caption may be broken, between two lines or two cues: after a sentence, after a clause,
 * before a conjunction or preposition, anywhere else, and last of all between words that belong
 * together. The lists are English; in other languages punctuation and pauses decide alone.
 */
import type { Word } from './engines/engine.ts'

/** A step down costs more than pauses and the shape of two lines can outweigh together. */
const cost = { sentence: 0, clause: 5, conjunction: 10, plain: 15, joined: 40 }
/** A pause of `PAUSE_MS` makes a break so much better. */
const PAUSE_WORTH = 3
const PAUSE_MS = 600

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const sentenceEnd = /[.!?…。？！]["'”’)\]]*$/
const clauseMark = /[,;:–—、，；：]["'”’)\]]*$/
const ending = /[.,;:!?…–—。？！、，；：]["'”’)\]]*$/

const conjunctions = list(
  'and but or nor yet so because although though unless until while whereas if when where whether since that which who whose than',
)
const prepositions = list(
  'about above across after against along among around at before behind below beneath beside between beyond by despite during except for from in inside into like near of on onto outside over through to toward towards under upon with within without',
)
/** No line ends on these: the next word is what they are said for. */
const leading = list(
  "a an the my your his her its our their this these those every each no any some such very i we they he she i'm we're they're he's she's i'll we'll they'll he'll she'll i've we've they've am is are was were be been have has had do does did will would shall can could may might must should not don't doesn't didn't won't can't to mister missus doctor miss saint",
)
const titles = list('mr. mrs. ms. dr. st. prof. no. vs. e.g. i.e.')
const numbers = list(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half',
)

/** What a break after each word but the last costs; the lower, the better it reads. */
export function breakCosts(words: readonly Word[]): number[] {
  return words.slice(1).map((next, index) => {
    const word = words[index] ?? next
    const isStart = index === 0 || sentenceEnd.test(words[index - 1]?.text ?? '')
    const pauseMs = Math.min(PAUSE_MS, Math.max(0, next.startMs - word.endMs))
    return costBetween(word.text, next.text, isStart) - (PAUSE_WORTH * pauseMs) / PAUSE_MS
  })
}

function costBetween(word: string, next: string, isStart: boolean): number {
  const said = word.toLowerCase()
  if (titles.has(said)) return cost.joined
  if (sentenceEnd.test(word)) return cost.sentence
  if (clauseMark.test(word)) return cost.clause
  const following = next.toLowerCase()
  // "Turn it on." ends with no preposition: nothing follows that it could lead.
  const leads = conjunctions.has(following) || prepositions.has(following)
  if (isJoined({ word, next, isStart }) || (!leads && prepositions.has(said))) return cost.joined
  if (conjunctions.has(said)) return cost.joined
  return leads ? cost.conjunction : cost.plain
}

/** First and last name, number and unit, article and noun. */
function isJoined({
  word,
  next,
  isStart,
}: {
  word: string
  next: string
  isStart: boolean
}): boolean {
  const said = word.toLowerCase()
  if (leading.has(said)) return true
  const following = next.toLowerCase().replace(ending, '')
  const isCount = numbers.has(said) || /^[$€£]?\d[\d.,]*$/.test(word)
  if (isCount) return !conjunctions.has(following) && !prepositions.has(following)
  return !isStart && isCapital(word) && isCapital(next)
}

/** I is written with a capital wherever it stands. */
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word) && !/^I(['’]\w+)?$/.test(word)
