/**
 * Compares a sentence with the words that were said for it: those of a quote, in the turn where it
 * stands. The values, days and names of the sentence must be there, of the same things; it must say
 * what was said and not the opposite, and as sure as it was said; and most of its words must be
 * there. What cannot be compared is no fault.
 *
 * A quote proves what has no fault. A sentence with one may be right in other words; nobody can see
 * that from the quote.
 */
import type { WritingTurn } from './contract.ts'
import { type ClaimWords, claimWordsOf as wordsOf, has, places } from './claim-words.ts'
import {
  type Span,
  type Word,
  clauses,
  contentOf,
  isLike,
  propersIn,
  sharedIn,
  stemIn,
  wordsAt,
} from './clauses.ts'
import { areDaysRead, daysIn } from './day-names.ts'
import { dueIn } from './due.ts'
import { languageOf } from './languages.ts'
import { type Source, fold, wordsIn } from './proof.ts'
import { segmentsOf } from './segments.ts'
import { numberWordsOf } from './values/number-words.ts'
import { SaidValues } from './values/same-values.ts'
import type { Value } from './values/value.ts'
import { valuesIn } from './values/values.ts'

/** Where a quote stands. */
interface Place {
  turn: number
  from: number
  to: number
}

/** The first thing that differs. */
export type Fault = 'value' | 'day' | 'name' | 'speaker' | 'denied' | 'surer' | 'cause' | 'not-said'

/** What was said around a quote. */
interface Scene {
  /** The sentences of the quote. */
  focus: Span[]
  /** They and those around them, of the same speaker. */
  own: string
  /** Other turns that were named. */
  named: string
  /** Turns before, in which that may have been named which the quote goes on about. */
  earlier: string
  /** The end of the turn before. */
  before: string
  /** The beginning of the turn after. */
  after: string
  speaker: string | null
  /** Whether the quote's turn answers the one before. */
  isAnswer: boolean
  /** Whether the turn ends with a question that the quote is no part of: a "yes" answers that. */
  hasOtherQuestion: boolean
  /** The speakers of these two. */
  asker: string | null
  /** And of the turns before. */
  speakers: (string | null)[]
  answerer: string | null
}

/** Sentences around those of a quote that belong to it. */
const AROUND = 3
/** In a turn of no more letters, all of it does. */
const SHORT_TURN = 400
/** Words of the beginning of a turn that answers: "I did." */
const SHORT_ANSWER = 4
/** Between two names that do the same: "Ada Lovett and". */
const JOINED = 3
/** Turns that a sentence may rest on, beside that of its quote. */
const MOST_NAMED = 3
/** Turns before a quote, and letters of them, in which that may have been named which it goes on about. */
const NAMED_BEFORE = 8
const LETTERS_BEFORE = 4_000
/** A sentence without an end is compared in pieces. */
const LONGEST_SENTENCE = 600
/** With a longer pause between them, a turn does not answer the one before. */
const MOST_PAUSE_MS = 30_000
/** The share of a sentence's words that must have been said. */
const LEAST_SAID = 0.5
/** From this many words on, one of a clause must have been said. */
const MANY = 2

interface Cited {
  source: Pick<Source, 'turn' | 'from' | 'quote'>
  /** Other turns that the sentence rests on. */
  named?: readonly number[]
}

export interface Comparer {
  /** Whether there are words to compare both languages by. */
  hasWords: boolean
  /** Null where the quote proves the sentence. */
  faultIn(sentence: string, cited: Cited): Fault | null
  /** Whether a quote promises a task, or asks for it. */
  isTask(task: string, cited: Cited): boolean
  /** Who is to do it, of those whom the model may have meant; null where the quote does not say. */
  ownerOf(who: string, cited: Cited): string | null
  /** Whether a word of a topic was said. */
  isSpokenOf(topic: string): boolean
}

export function comparerOf({
  turns,
  spoken,
  written,
}: {
  turns: readonly WritingTurn[]
  spoken: string
  written: string
}): Comparer {
  const isSame = spoken === written
  // Some recognisers write all numbers as words, and those of some languages are not understood.
  const canCount = numberWordsOf(spoken).isRead
  const saidWords = wordsOf(spoken)
  const writtenWords = wordsOf(written)
  const language = languageOf(written)
  const speakers = [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))]
  const numbered = speakers
    .filter((name) => /\p{N}/u.test(name))
    .toSorted((a, b) => b.length - a.length)
  const isAsking = (sentence: string): boolean =>
    isQuestion(sentence) || (saidWords !== null && has(saidWords.requests, sentence))
  const sentencesOf = (text: string): Span[] =>
    segmentsOf(text, spoken).flatMap((segment) => inPieces(segment.text, segment.from))

  function scene({ turn, from, to }: Place, named: readonly number[]): Scene {
    const said = turns[turn]
    const all = sentencesOf(said?.text ?? '')
    const first = all.findLastIndex((one) => one.from <= from)
    const last = all.findLastIndex((one) => one.from < to)
    const isShort = (said?.text.length ?? 0) <= SHORT_TURN
    const around = isShort ? all : all.slice(Math.max(0, first - AROUND), last + AROUND + 1)
    const previous = isNext(turns[turn - 1], said) ? turns[turn - 1] : undefined
    const before = sentencesOf(previous?.text ?? '').slice(-AROUND)
    const next = isNext(said, turns[turn + 1]) ? turns[turn + 1] : undefined
    const after = next && next.speaker !== said?.speaker ? sentencesOf(next.text).slice(0, 2) : []
    const opening = all[0]?.text ?? ''
    const isAnswer =
      previous !== undefined &&
      (isAsking(before.at(-1)?.text ?? '') ||
        wordsIn(opening).length <= SHORT_ANSWER ||
        (saidWords?.assents.test(opening) ?? false))
    return {
      focus: all.slice(first, last + 1),
      own: textOf(around),
      earlier: turns
        .slice(Math.max(0, turn - NAMED_BEFORE), turn)
        .map(({ text }) => text)
        .join('\n')
        .slice(-LETTERS_BEFORE),
      named: named
        .filter((one) => one !== turn)
        .slice(0, MOST_NAMED)
        .flatMap((one) => turns[one]?.text ?? [])
        .join('\n'),
      before: textOf(before),
      after: textOf(after),
      speaker: said?.speaker ?? null,
      isAnswer,
      hasOtherQuestion: last < all.length - 1 && isAsking(all.at(-1)?.text ?? ''),
      asker: previous?.speaker ?? null,
      speakers: turns.slice(Math.max(0, turn - AROUND), turn).map((one) => one.speaker),
      answerer: next?.speaker ?? null,
    }
  }

  /** Without names of speakers that hold numbers. */
  const bare = (text: string): string =>
    numbered.reduce((rest, name) => rest.replaceAll(name, ' '), text)

  /** Whether the sentence says of one person what another said of himself. */
  function isOfAnother(sentence: string, at: Scene): boolean {
    const { speaker } = at
    const named = speakers
      .map((name) => ({ name, from: placeOf(name, sentence) }))
      .filter(({ from }) => from !== -1)
      .toSorted((a, b) => a.from - b.from)
    const [first] = named
    if (speaker === null || !first) return false
    const focus = textOf(at.focus)
    const isHis = named.some(({ name }) => name === speaker)
    const neighbours = [
      ...(at.isAnswer ? [at.asker] : []),
      ...(isQuestion(focus) ? [at.answerer] : []),
    ]
    const others = named.filter(
      ({ name }) => name !== speaker && placeOf(name, at.own) === -1 && !neighbours.includes(name),
    )
    const isFarFrom = ({ name }: { name: string }) =>
      !at.speakers.includes(name) || isJoined(sentence, speaker, name)
    if (!isHis ? others.length > 0 : others.some(isFarFrom)) return true
    if (!saidWords || !writtenWords) return !isHis && placeOf(first.name, at.own) === -1
    const isPromised = promiseIn(focus, saidWords)
    const willDo = has(writtenWords.commits, sentence) && !has(writtenWords.views, sentence)
    if (first.name !== speaker) {
      if (isHis) return has(saidWords.first, focus) && !neighbours.includes(first.name)
      // "I will call Ben" does not say that Ben will.
      if (placeOf(first.name, at.own) === -1) return !isQuestion(focus) || isPromised
      return isPromised && willDo
    }
    const isAsked = has(saidWords.requests, focus) && has(saidWords.second, focus)
    return willDo && isAsked && !isPromised
  }

  /** "Ada and Ben": what one of them said is told of both. */
  function isJoined(sentence: string, one: string, other: string): boolean {
    const [from, to] = [placeOf(one, sentence), placeOf(other, sentence)].toSorted((a, b) => a - b)
    const between = sentence.slice(from, to)
    return wordsIn(between).length <= JOINED && !(writtenWords && has(writtenWords.joins, between))
  }

  const placeOf = (name: string, text: string): number => {
    const all = namesOf(name).map((one) => {
      const at = text.search(new RegExp(wholeWord(one, language.isUnspaced), 'iu'))
      return at === -1 ? Infinity : at
    })
    const first = Math.min(...all)
    return first === Infinity ? -1 : first
  }

  /** Whether a name of the sentence was said, but not near its quote. */
  function hasFarName(sentence: string, at: Scene): boolean {
    const near = fold(`${at.before}\n${at.own}\n${at.after}\n${at.speaker ?? ''}`).letters
    const earlier = fold(at.earlier).letters
    const focus = textOf(at.focus)
    const others = propersIn(focus, spoken).filter(
      (name) => !speakers.some((speaker) => placeOf(speaker, name) !== -1),
    )
    const text = fold(sentence).letters
    const isReplaced = others.some((name) => !text.includes(stemOfName(name)))
    return propersIn(sentence, written)
      .filter((name) => !speakers.some((speaker) => placeOf(speaker, name) !== -1))
      .some((name) => {
        const stem = stemOfName(name)
        if (near.includes(stem)) return false
        return !earlier.includes(stem) || isReplaced
      })
  }

  /**
   * Whether a value stands by other words than it did: "140 have not answered" for "140 said yes and
   * 35 have not answered".
   */
  function isSwapped(sentence: string, values: readonly Value[], window: string): boolean {
    const mine = marked(sentence, written)
    const links = saidWords?.links
    return sentencesOf(window).some(({ text }) => {
      const theirs = valuesIn(text, spoken).filter(({ weight }) => weight !== 'loose')
      const pairs = values.flatMap((value) => {
        const same = theirs.find((other) => isEqual(value, other))
        return same ? [{ value, same }] : []
      })
      if (pairs.length === 0) return false
      const said = marked(text, spoken)
      return pairs.some(({ value, same }) => {
        const rivals = theirs.filter((other) => other !== same && isAlike(other, same))
        if (rivals.length === 0) return false
        let [votes, against] = [0, 0]
        for (const word of mine) {
          if (nearest(word, values, { text: sentence, links }) !== value) continue
          const there = said.filter((one) => isLike(one.stem, word.stem))
          if (there.length === 0) continue
          const by = there.map((one) => nearest(one, [same, ...rivals], { text, links }))
          if (by.includes(same)) votes += 1
          else against += 1
        }
        const areAll = rivals.every((rival) => values.some((one) => isEqual(one, rival)))
        return against > 0 && (areAll ? against > votes : against >= votes)
      })
    })
  }

  /** The content of a text, and where it stands; a denial is content too. */
  function marked(text: string, code: string): Word[] {
    const words = wordsOf(code)
    const all = wordsAt(text, code, languageOf(code).functionWords)
    const denied = words ? places(words.denials, text) : []
    return [...all, ...denied.map(({ from, to }) => ({ stem: DENIED, at: from, to }))]
  }

  const clausesOf = (text: string, code: string): Span[] => clauses(text, code, wordsOf(code))

  interface Worded {
    text: string
    at: Scene
    words: { said: ClaimWords; written: ClaimWords }
  }

  /** Clause by clause, each beside the one that has most of its words. */
  function wordFault({ text, at, words }: Worded): Fault | null {
    const there = clausesOfScene(at)
    const all = there.flatMap((one) => one.content)
    const earlier = contentOf(at.earlier, spoken)
    const isEarlier = ({ stem }: { stem: string }) => earlier.some((one) => isLike(one.stem, stem))
    const isSaid = ({ stem }: { stem: string }) => all.some((one) => isLike(one.stem, stem))
    const counts = { said: 0, all: 0, values: 0 }
    let least = 1
    let isAbout =
      at.isAnswer && at.focus.some(({ text: said }) => wordsIn(said).length <= SHORT_ANSWER)
    for (const clause of clausesOf(text, written)) {
      const content = topicOf(clause.text, written)
      const values = figuresIn(clause.text, written)
      const days = daysIn(clause.text, written, true)
      const isDenied = isDeniedIn(clause.text, words.written)
      const isDenialSaid = isDenied && there.some((one) => one.isFocus && one.isDenied)
      const scored = there.map((one) => {
        const figures = values.filter((value) => one.values.some((other) => isEqual(value, other)))
        const named = days.filter((day) => one.days.includes(day))
        const shared = sharedIn(content, one.content) + 2 * figures.length + named.length
        return { one, shared, score: shared === 0 ? 0 : shared + one.bonus }
      })
      const most = Math.max(0, ...scored.map(({ score }) => score))
      // A question beside the quote says nothing of it.
      const shares = scored.filter(({ one, score }) => score > 0 && (one.isFocus || !one.isIdle))
      const best = shares.filter(({ score }) => score === most)
      const covered = best.flatMap(({ one }) => one.content)
      const others = content.filter(({ stem }) => !covered.some((one) => isLike(one.stem, stem)))
      // A clause may say what two of them did.
      const isOther = ({ one }: (typeof shares)[number]) =>
        (one.isFocus || one.isBefore) && sharedIn(others, one.content) > 0
      const beside = [...best, ...shares.filter(isOther)]
      if (scored.some(({ one, shared }) => one.isFocus && shared > 0)) isAbout = true
      const said = content.filter(isSaid).length
      // What "it" and "them" stand for was named before.
      const meant = content.filter((one) => !isSaid(one) && isEarlier(one)).length / 2
      // Names have been looked for by themselves.
      const more =
        values.length + days.length + namesBeside(clause.text).length + (isDenialSaid ? 1 : 0)
      counts.said += said + meant + more
      counts.all += content.length + more
      counts.values += values.length
      if (content.length > 0)
        least = Math.min(least, (said + values.length) / (content.length + values.length))
      if (content.length >= MANY && said + values.length + days.length === 0) return 'not-said'
      if (beside.length === 0) continue
      // "Not cheaper" is said of what is dearer.
      const isOpposite = ({ one }: (typeof shares)[number]) =>
        (one.isDenied !== isDenied) !== areOpposite(clause.text, one.text, words.said)
      // Another clause that has a word of it does not take back "south" for "north".
      const isOpposed = ({ one }: (typeof shares)[number]) =>
        one.isDenied === isDenied && areOpposite(clause.text, one.text, words.said)
      if (beside.every(isOpposite) || best.every(isOpposed)) return 'denied'
      if (isOfOtherDay(clause.text, content, there)) return 'day'
      const told = { text, clause: clause.text, isDenied, at, words }
      if (beside.every(({ one }) => isSurer({ ...told, one }))) return 'surer'
    }
    const isCaused = has(words.written.causes, text) && !has(words.said.causes, at.own + at.before)
    if (isCaused && least <= LEAST_SAID) return 'cause'
    const fewest = LEAST_SAID * counts.all
    const isEnough = counts.values > 0 ? counts.said >= fewest : counts.said > fewest
    return isAbout && (isEnough || counts.all === 0) ? null : 'not-said'
  }

  /** "June is fine, but August is difficult" does not prove that June is difficult. */
  function isOfOtherDay(
    clause: string,
    content: readonly Word[],
    there: readonly SaidClause[],
  ): boolean {
    const days = daysIn(clause, written, true)
    if (days.length === 0) return false
    const isDay = ({ at, to }: Word) => daysIn(clause.slice(at, to), written, true).length > 0
    const plain = content.filter((word) => !isDay(word))
    const shares = there.map((one) => ({ one, shared: sharedIn(plain, one.content) }))
    const most = Math.max(1, ...shares.map(({ shared }) => shared))
    const best = shares.filter(({ shared }) => shared === most)
    return (
      best.length > 0 &&
      best.every(({ one }) => one.days.length > 0 && !one.days.some((day) => days.includes(day)))
    )
  }

  const namesBeside = (text: string): string[] =>
    propersIn(text, written).filter((name) => !speakers.some((one) => placeOf(one, name) !== -1))

  /** Content that is no name: names are compared by themselves. */
  function topicOf(text: string, code: string): Word[] {
    const names = new Set(
      [...propersIn(text, code), ...speakers.flatMap(namesOf)].map((name) =>
        stemIn(fold(name).letters, code),
      ),
    )
    // "Suggested" and "refuses" are compared by what they do.
    const words = wordsOf(code)
    const taken = words ? [words.views, words.denials].flatMap((list) => places(list, text)) : []
    return contentOf(text, code).filter(
      ({ stem, at }) => !names.has(stem) && !taken.some(({ from, to }) => at >= from && at < to),
    )
  }

  function figuresIn(text: string, code: string): Value[] {
    return valuesIn(bare(text), code).filter(({ weight }) => weight !== 'loose')
  }

  interface SaidClause {
    content: Word[]
    values: Value[]
    days: string[]
    text: string
    sentence: string
    isDenied: boolean
    /** Of two that share as much, the one in the quote's sentence. */
    bonus: number
    isBefore: boolean
    isFocus: boolean
    /** Whether it only says what the quote is about. */
    isIdle: boolean
  }

  function clausesOfScene(at: Scene): SaidClause[] {
    const words = saidWords
    if (!words) return []
    const opening = sentencesOf(at.own)[0]?.text ?? ''
    const isNo =
      languageOf(spoken).commitments.decline.test(opening.trim()) || isDeniedIn(opening, words)
    const focus = textOf(at.focus)
    const all = (text: string, isBefore: boolean): SaidClause[] =>
      sentencesOf(text).flatMap(({ text: sentence }) =>
        clausesOf(sentence, spoken).map(({ text: clause }) => {
          const isFocus = !isBefore && focus.includes(sentence.trim())
          const isAsked = isBefore && at.isAnswer && isAsking(sentence)
          return {
            content: topicOf(clause, spoken),
            values: figuresIn(clause, spoken),
            days: daysIn(clause, spoken),
            text: clause,
            sentence,
            isDenied: isAsked ? isNo : isDeniedIn(clause, words),
            bonus: isFocus ? 1.5 : isBefore ? 0 : 0.25,
            isBefore,
            isFocus,
            isIdle: isBefore ? !at.isAnswer : isQuestion(sentence),
          }
        }),
      )
    return [...all(at.before, true), ...all(at.own, false), ...all(at.named, false)]
  }

  /** Whether a clause is told as a fact, or as decided, where it was only asked, proposed or a condition. */
  function isSurer({
    text,
    clause,
    isDenied,
    one,
    at,
    words: { said, written: mine },
  }: Worded & { clause: string; isDenied: boolean; one: SaidClause }): boolean {
    const isDecided = has(mine.decisions, text) && !isDeniedIn(clause, mine)
    const isHedged =
      !isDecided && [mine.views, mine.conditions, mine.reports].some((list) => has(list, text))
    if (isHedged) return false
    const isAccepted = isAcceptedIn({ text, isDenied, one, at, said })
    if (has(said.conditions, one.sentence) && !has(mine.conditions, text)) return true
    const isOpen = isQuestion(one.sentence) || has(said.proposals, one.text)
    if (isDecided) {
      const isOfOthers =
        propersIn(text, written).length > 0 && !speakers.some((name) => placeOf(name, text) !== -1)
      const isSaid = (where: string) =>
        sentencesOf(where).some(
          ({ text: sentence }) =>
            has(said.decisions, sentence) && !isDeniedIn(sentence, said) && !isQuestion(sentence),
        )
      if (isSaid(textOf(at.focus)) || isSaid(at.own)) return false
      if (isOfOthers) return true
      if (isAccepted || (at.isAnswer && isSaid(at.before))) return false
      return isOpen || !(has(said.commits, one.text) || promiseIn(one.text, said))
    }
    return isOpen && !isAccepted
  }

  /** Whether the next one says yes, or this turn does: "Agreed, no more invitations." */
  function isTakenUp(at: Scene, words: ClaimWords): boolean {
    const reply = sentencesOf(at.after)[0]?.text ?? ''
    const isYes =
      words.assents.test(reply) && !has(words.contrasts, reply) && !isDeniedIn(reply, words)
    return (isYes && !at.hasOtherQuestion) || (at.isAnswer && words.assents.test(at.own))
  }

  /** Whether somebody agreed to what was asked or proposed. */
  function isAcceptedIn({
    text,
    isDenied,
    one,
    at,
    said,
  }: {
    text: string
    isDenied: boolean
    one: SaidClause
    at: Scene
    said: ClaimWords
  }): boolean {
    if (one.isBefore) return at.isAnswer
    if (isTakenUp(at, said)) return true
    const reply = sentencesOf(at.after)[0]?.text ?? ''
    if (!isQuestion(one.sentence) || reply === '') return false
    if (isDeniedIn(reply, said)) return isDenied
    const answer = contentOf(at.after, spoken)
    const question = one.content
    return contentOf(text, written).some(
      ({ stem }) =>
        answer.some((other) => isLike(other.stem, stem)) &&
        !question.some((other) => isLike(other.stem, stem)),
    )
  }

  /** In two languages only the sentence of the quote can be compared, as a whole. */
  function foreignFault({ text, at, words, quote }: Worded & { quote: Place }): Fault | null {
    const quoted = quotedIn(at, quote)
    if (quoted.length === 0) return null
    const told = clausesOf(text, written)
    const isDenied = told.some((clause) => isDeniedIn(clause.text, words.written))
    const around = clausesOf(`${at.isAnswer ? at.before : ''}${at.own}`, spoken)
    const isSaidDenied = quoted.every(({ clause }) => isDeniedIn(clause, words.said))
    const isAnyDenied = around.some((clause) => isDeniedIn(clause.text, words.said))
    if (isDenied !== isSaidDenied && (isSaidDenied || !isAnyDenied)) return 'denied'
    const isSure = quoted.every(({ clause, sentence }) =>
      isSurer({
        text,
        clause: told[0]?.text ?? text,
        isDenied,
        one: {
          content: [],
          values: [],
          days: [],
          text: clause,
          sentence,
          isDenied: isSaidDenied,
          bonus: 0,
          isBefore: false,
          isFocus: true,
          isIdle: false,
        },
        at,
        words,
      }),
    )
    return isSure ? 'surer' : null
  }

  /** Values, days and names, which can be compared in any language. */
  function factFault(sentence: string, at: Scene): Fault | null {
    const window = windowOf(at)
    const text = bare(sentence).replace(listed, '')
    const values = figuresIn(text, written)
    const said = new SaidValues(valuesIn(bare(window), spoken))
    const isCounted = (value: Value) => canCount || value.weight === 'figure'
    if (values.some((value) => isCounted(value) && said.has(value) === 'different')) return 'value'
    const days = new Set(daysIn(window, spoken))
    if (areDaysRead(spoken) && daysIn(text, written, true).some((day) => !days.has(day)))
      return 'day'
    if (!isSame) return null
    if (hasFarName(sentence, at)) return 'name'
    return isSwapped(text, values, bare(window)) ? 'value' : null
  }

  function windowOf(at: Scene): string {
    const answered = at.isAnswer ? `${at.before}\n` : ''
    const asked = at.focus.some(({ text }) => isQuestion(text)) ? `\n${at.after}` : ''
    return `${answered}${at.own}${asked}\n${at.named}`
  }

  const placeOfSource = ({ turn, from, quote }: Cited['source']): Place => ({
    turn,
    from,
    to: from + quote.length,
  })

  /** The clauses of a quote. */
  function quotedIn(at: Scene, quote: Place): { clause: string; sentence: string }[] {
    return at.focus.flatMap((one) =>
      clausesOf(one.text, spoken)
        .filter(({ text: clause, from }) => {
          const begin = one.from + from
          return begin < quote.to && begin + clause.length > quote.from
        })
        .map((clause) => ({ clause: clause.text, sentence: one.text })),
    )
  }

  const startsWithName = (text: string): boolean =>
    speakers.some((name) => placeOf(name, text) === 0)

  /** Whether the words of a task concern somebody who is there: "I will", "can you", "send it". */
  function isPersonal(task: string, at: Scene, words: ClaimWords): boolean {
    const focus = textOf(at.focus)
    const lists = [words.first, words.joint, words.second, words.requests, words.commits]
    if (lists.some((list) => has(list, focus))) return true
    if (words.assents.test(at.own) || speakers.some((name) => placeOf(name, focus) !== -1))
      return true
    // The verb of a task is one of its first words: "Send the plan", "Ben: send the plan".
    const wanted = contentOf(task, written).slice(0, 2)
    return clausesOf(focus, spoken).some(({ text }) => {
      const [verb = ''] = wordsIn(text)
      return wanted.some(({ stem }) => isLike(stem, stemIn(verb, spoken)))
    })
  }

  const isDeclined = (at: Scene): boolean =>
    languageOf(spoken).commitments.decline.test(at.after.trim())

  let stems: readonly string[] | undefined
  const withoutOpinion = (text: string): string =>
    saidWords ? text.replace(saidWords.opinions, ' ') : text

  return {
    hasWords: saidWords !== null && writtenWords !== null,
    faultIn(sentence, { source, named = [] }) {
      const quote = placeOfSource(source)
      const at = scene(quote, named)
      // A whole sentence as it was said.
      if (fold(sentence).letters === fold(textOf(at.focus)).letters) return null
      const fault = factFault(sentence, at)
      if (fault) return fault
      if (isOfAnother(sentence, at)) return 'speaker'
      if (!saidWords || !writtenWords) return null
      const words = { said: saidWords, written: writtenWords }
      const text = bare(sentence)
      return isSame ? wordFault({ text, at, words }) : foreignFault({ text, at, words, quote })
    },
    isTask(task, { source }) {
      const quote = placeOfSource(source)
      const at = scene(quote, [])
      if (factFault(task, at) || (startsWithName(task) && isOfAnother(task, at))) return false
      if (!saidWords) return true
      if (isSame && writtenWords) {
        const words = { said: saidWords, written: writtenWords }
        const fault = wordFault({ text: bare(task), at, words })
        // What is asked for or proposed may be one.
        if (fault !== null && fault !== 'surer') return false
        if (!saidWords.dropsSubjects && !isPersonal(task, at, saidWords)) return false
      }
      const quoted = quotedIn(at, quote)
      const isWanted = quoted.some(({ clause, sentence }) => {
        const isAsked = has(saidWords.requests, sentence)
        const isPromised = promiseIn(sentence, saidWords)
        if (isDeniedIn(clause, saidWords) && !(writtenWords && isDeniedIn(task, writtenWords)))
          return false
        if (has(saidWords.conditions, sentence) && !isAsked) return false
        if (has(saidWords.reports, clause) && !isAsked && !isPromised) return false
        if (isQuestion(sentence) && !isAsked && !has(saidWords.second, sentence)) return false
        if (isQuestion(sentence) || isAsked) return !isDeclined(at)
        // "I think it has to be tested" promises nothing.
        const isOpen =
          has(saidWords.proposals, clause) ||
          (has(saidWords.opinions, sentence) && !promiseIn(withoutOpinion(sentence), saidWords))
        return (
          !isOpen ||
          isTakenUp(at, saidWords) ||
          dueIn(sentence, { language: spoken, recordedOn: undefined }) !== null
        )
      })
      return quoted.length === 0 || isWanted
    },
    ownerOf(who, { source }) {
      const quote = placeOfSource(source)
      const at = scene(quote, [])
      const focus = textOf(at.focus)
      const isNamed = (text: string) => placeOf(who, text) !== -1
      const isAsked = saidWords ? has(saidWords.requests, focus) : isQuestion(focus)
      if (isAsked || (isQuestion(focus) && (!saidWords || has(saidWords.second, focus)))) {
        const others = speakers.filter((name) => name !== at.speaker)
        const isMeant =
          isNamed(focus) ||
          who === at.answerer ||
          (at.isAnswer && who === at.asker) ||
          (others.length === 1 && who === others[0])
        return isMeant && who !== at.speaker ? who : null
      }
      if (saidWords && has(saidWords.first, withoutOpinion(focus))) return at.speaker
      if (isNamed(focus)) return who
      // Some languages leave "I" out.
      const isLeftOut = !saidWords || saidWords.dropsSubjects
      return who === at.speaker && isLeftOut ? who : null
    },
    isSpokenOf(topic) {
      if (!isSame || !saidWords) return true
      const wanted = contentOf(topic, written)
      stems ??= [
        ...new Set(turns.flatMap(({ text }) => contentOf(text, spoken).map(({ stem }) => stem))),
      ]
      const all = stems
      return wanted.length === 0 || wanted.some(({ stem }) => all.some((one) => isLike(one, stem)))
    },
  }
}

/**
 * Whether a translation names the days of the original, denies what it denies, and is no surer, as far
 * as that can be seen in another language.
 */
export function isTranslatedSo(
  said: string,
  text: string,
  { spoken, written }: { spoken: string; written: string },
): boolean {
  const lacks = (into: readonly string[], from: readonly string[]) =>
    from.some((day) => !into.includes(day))
  const haveDays = areDaysRead(spoken) && areDaysRead(written)
  if (haveDays && lacks(daysIn(text, written), daysIn(said, spoken, true))) return false
  if (haveDays && lacks(daysIn(said, spoken), daysIn(text, written, true))) return false
  const [from, into] = [wordsOf(spoken), wordsOf(written)]
  if (!from || !into) return true
  const isOpen = has(from.proposals, said) || has(from.conditions, said)
  const staysOpen = [into.proposals, into.conditions, into.views].some((list) => has(list, text))
  return (!isOpen || staysOpen) && isDeniedIn(said, from) === isDeniedIn(text, into)
}

function inPieces(text: string, from: number): Span[] {
  const pieces: Span[] = []
  for (let at = 0; at < text.length;) {
    const space = text.lastIndexOf(' ', at + LONGEST_SENTENCE)
    const isLast = text.length - at <= LONGEST_SENTENCE
    const to = isLast ? text.length : space > at ? space + 1 : at + LONGEST_SENTENCE
    pieces.push({ text: text.slice(at, to), from: from + at })
    at = to
  }
  return pieces
}

/** Passages that were found stand apart, or in different recordings. */
function isNext(one: WritingTurn | undefined, next: WritingTurn | undefined): boolean {
  const pause = one && next ? next.startMs - one.endMs : Infinity
  return pause > -MOST_PAUSE_MS && pause < MOST_PAUSE_MS
}

const listed = /^\s*\p{Nd}{1,2}[.)]\s/u
const textOf = (spans: readonly Span[]): string => spans.map(({ text }) => text).join('')
const isQuestion = (text: string): boolean =>
  /[?？؟]["'”»)]*\s*$/u.test(text.trim()) || /か[。.]?\s*$/u.test(text.trim())

const DENIED = '¬'
/** A break between clauses is as far as so many letters. */
const BREAK = 30

/** The value that stands nearest, where words between clauses count as far. */
function nearest(
  word: { at: number; to: number },
  values: readonly Value[],
  { text, links }: { text: string; links: RegExp | undefined },
): Value | undefined {
  const far = ({ from, to }: Value): number => {
    const [begin, end] = word.at < from ? [word.to, from] : [to, word.at]
    if (begin >= end) return 0
    const between = text.slice(begin, end)
    const breaks =
      (between.match(/[,;:、，]/gu)?.length ?? 0) + (links ? places(links, between).length : 0)
    return end - begin + BREAK * breaks
  }
  return values.toSorted((a, b) => far(a) - far(b))[0]
}

const isEqual = (one: Value, other: Value): boolean =>
  one.readings.some((reading) => other.readings.includes(reading)) ||
  one.minutes.some((minute) => other.minutes.includes(minute))

const isAlike = (one: Value, other: Value): boolean =>
  one.kind === other.kind &&
  (one.measure?.id === 'percent') === (other.measure?.id === 'percent') &&
  (one.measure === null || other.measure === null || one.measure.id === other.measure.id)

function isDeniedIn(clause: string, words: ClaimWords): boolean {
  return has(words.denials, clause.replace(words.notDenials, ' '))
}

/** "Better" of one and "worse" of the other. */
const areOpposite = (one: string, other: string, { opposites }: ClaimWords): boolean =>
  opposites.some(([a = /(?!)/, b = /(?!)/]) => {
    const is = [a.test(one), b.test(one), a.test(other), b.test(other)]
    return is[0] !== is[1] && is[2] !== is[3] && is[0] !== is[2]
  })

/** "I will" */
const promiseIn = (text: string, words: ClaimWords): boolean =>
  has(words.commits, text) && has(words.first, text)

const wholeWord = (name: string, isUnspaced: boolean): string => {
  const literal = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  return isUnspaced ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`
}

/** A speaker's name, and each of two real names in it: "Speaker A" has none. */
function namesOf(speaker: string): string[] {
  const parts = speaker.split(/\s+/)
  const areNames = parts.length > 1 && parts.every((part) => /^\p{L}[\p{L}'’.-]{2,}$/u.test(part))
  return areNames ? [speaker, ...parts] : [speaker]
}

const stemOfName = (name: string): string => {
  const { letters } = fold(name)
  return letters.length > 5 ? letters.slice(0, -2) : letters
}
