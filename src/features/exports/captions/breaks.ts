/**
 * Says how well a caption can be broken between two words, for lines and for cues. Best after a
 * sentence, then after a clause, before a conjunction or preposition, anywhere else, and worst
 * between words that belong together. The lists are English; in other languages only punctuation
 * and pauses decide. Where no spaces are written, a dictionary says where a word ends.
 */
import {
  isTitle,
  isWithoutSpace,
  joinWords,
  sentenceEnd,
  type Word,
} from '#features/speech/contract.ts'

/** These are so far apart that a pause never changes their order. */
const cost = { sentence: 0, clause: 4, conjunction: 12, plain: 20, joined: 45, inWord: 200 }
/** How much a pause lowers the cost of a break; longer ones than this lower it no further. */
const PAUSE_WORTH = 7
const PAUSE_MS = 150

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const clauseMark = /[,;:–—、，；：]["'”’)\]]*$/
const ending = /[.,;:!?…–—。？！、，；：]["'”’)\]]*$/

const conjunctions = list(
  'and but or nor yet so because although though unless until till while whereas if when where whether since before after for that which who whose how what why than',
)
/** These begin a clause, unless the word before leads up to them. */
const subjects = list(
  "i we they he she i'm i've i'll i'd we're we've we'll they're they've they'll he's she's there's",
)
/** Without `of`: it binds its two nouns so closely that no break may follow it. */
const prepositions = list(
  'about above across against along among around at behind below beneath beside between beyond by despite during except from in inside into like near on onto outside over through to toward towards under upon with within without',
)
/** No line ends on these: they belong to the next word. */
const leading = list(
  "of a an the my your his her its our their this these those every each no any some such i we they he she i'm we're they're he's she's i'll we'll they'll he'll she'll i've we've they've am is are was were be been have has had do does did will would shall can could may might must should not don't doesn't didn't won't can't more most less very quite rather still mister missus doctor miss saint",
)
const numbers = list(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion half',
)

/** The cost of a break after each word but the last; the lower, the better it reads. */
export function breakCosts(words: readonly Word[]): number[] {
  const jointAt = jointsOf(words)
  return words.slice(1).map((next, index) => {
    const word = words[index] ?? next
    const joint = jointAt(index)
    if (joint !== null) return joint
    const isStart = index === 0 || sentenceEnd.test(words[index - 1]?.text ?? '')
    const pauseMs = Math.min(PAUSE_MS, Math.max(0, next.startMs - word.endMs))
    return costBetween(word.text, next.text, isStart) - (PAUSE_WORTH * pauseMs) / PAUSE_MS
  })
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })
/** Particles and endings of Japanese belong to the word before. */
const trailing = /^[\p{Script=Hiragana}]{1,3}$/u
/** No line begins with these. */
const closing = /^[\p{Pe}\p{Pf}\p{Po}ー々ゝゞぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u

/** The cost of a break where two words are written together; null where they are not. */
function jointsOf(words: readonly Word[]): (index: number) => number | null {
  const isAny = words.some(({ text }, index) => isWithoutSpace(text, words[index + 1]?.text ?? ''))
  if (!isAny) return () => null
  const begins = new Map<number, string>()
  for (const { index, segment } of segmenter.segment(joinWords(words.map(({ text }) => text))))
    begins.set(index, segment)
  let at = 0
  const joints = words.map(({ text }, index) => {
    const next = words[index + 1]?.text ?? ''
    const isClose = isWithoutSpace(text, next)
    at += text.length + (isClose ? 0 : 1)
    const begun = begins.get(at)
    if (!isClose || sentenceEnd.test(text) || clauseMark.test(text)) return null
    if (begun === undefined || closing.test(begun)) return cost.inWord
    return trailing.test(begun) ? cost.joined : null
  })
  return (index) => joints[index] ?? null
}

function costBetween(word: string, next: string, isStart: boolean): number {
  const said = word.toLowerCase()
  if (isTitle(word)) return cost.joined
  if (sentenceEnd.test(word)) return cost.sentence
  if (clauseMark.test(word)) return cost.clause
  const following = next.toLowerCase()
  const isSubject = subjects.has(following)
  const isLed = isSubject || prepositions.has(following) || conjunctions.has(following)
  // A preposition before a subject ("to we") does not belong to it: it ends the clause before.
  if (conjunctions.has(said) || (prepositions.has(said) && !isSubject)) return cost.joined
  if (isJoined({ word, next, isStart })) return cost.joined
  return isLed ? cost.conjunction : cost.plain
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
