/**
 * Questions to begin with, in the language of a recording: those that were asked in it and can be asked
 * again, and others made of what is known of it. Each has an answer there; where there is none, nothing
 * is offered.
 */
import { and, asc, desc, eq, isNotNull, sql } from 'drizzle-orm'

import { type Owned, type Row, isThere, shownRows } from '#features/row/row.ts'
import { readSpeakers } from '#features/text/speaker-marks.ts'
import { turns } from '#features/text/tables.ts'
import { checkBelowOf, isInDoubt, percentOf } from '#features/text/words-in-doubt.ts'
import { languageOf } from '#features/writing/languages.ts'
import { askedIn } from '#features/writing/questions.ts'
import type { Db } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'
import { bareWords } from '#shared/written.ts'

interface Phrases {
  decided: string
  /** `%` stands for a topic. */
  about: string
  tasks: string
}

const phrases: Record<string, Phrases> = {
  en: {
    decided: 'What was decided?',
    about: 'What is said about “%”?',
    tasks: 'Who should do what?',
  },
  de: {
    decided: 'Was wurde entschieden?',
    about: 'Was wird über „%“ gesagt?',
    tasks: 'Wer soll was tun?',
  },
  es: {
    decided: '¿Qué se decidió?',
    about: '¿Qué se dice sobre «%»?',
    tasks: '¿Quién debe hacer qué?',
  },
  fr: {
    decided: 'Qu’a-t-on décidé ?',
    about: 'Que dit-on de « % » ?',
    tasks: 'Qui doit faire quoi ?',
  },
  it: {
    decided: 'Che cosa è stato deciso?',
    about: 'Che cosa si dice di «%»?',
    tasks: 'Chi deve fare che cosa?',
  },
  pt: {
    decided: 'O que foi decidido?',
    about: 'O que se diz sobre “%”?',
    tasks: 'Quem deve fazer o quê?',
  },
  nl: {
    decided: 'Wat is er besloten?',
    about: 'Wat wordt er gezegd over ‘%’?',
    tasks: 'Wie moet wat doen?',
  },
  ru: {
    decided: 'Что решили?',
    about: 'Что говорится о теме «%»?',
    tasks: 'Кто что должен сделать?',
  },
  ar: { decided: 'ماذا تقرر؟', about: 'ماذا قيل عن «%»؟', tasks: 'من يجب أن يفعل ماذا؟' },
  zh: { decided: '决定了什么？', about: '关于“%”说了什么？', tasks: '谁应该做什么？' },
  ja: {
    decided: '何が決まりましたか？',
    about: '「%」について何と言っていますか？',
    tasks: '誰が何をするのですか？',
  },
  ko: {
    decided: '무엇이 결정되었나요?',
    about: '‘%’에 대해 뭐라고 했나요?',
    tasks: '누가 무엇을 해야 하나요?',
  },
}

const MOST = 3
/** Newest recordings whose topics are offered. */
const NEWEST = 10

/** A recording of questions, such as a test of hearing, is read no further. */
const MOST_READ = 200

const columns = {
  language: shownRows.language,
  topics: shownRows.topics,
  keyPoints: shownRows.keyPoints,
  speakers: shownRows.speakers,
  speakerCount: shownRows.speakerCount,
}
type Known = Pick<Row, keyof typeof columns>

/** @throws Refusal `not_found` */
export async function offersFor(db: Db, owned: Owned): Promise<string[]> {
  const { actionItems, engine } = shownRows
  const [row] = await db
    .select({ ...columns, actionItems, engine })
    .from(shownRows)
    .where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  const said = phrases[row.language ?? '']
  if (!said) return []
  const isDecided = (row.keyPoints ?? [])
    .flatMap(({ text, quote }) => [text, quote ?? ''])
    .some((point) => tellsDecision(point, row.language ?? ''))
  const tasks = (row.actionItems ?? []).filter(({ deletedAt }) => deletedAt === null)
  const asked = await askedAgain(db, { id: owned.id, ...row })
  const offers = [
    ...(isDecided ? [said.decided] : []),
    ...asked.slice(0, MOST - 1),
    ...(tasks.length > 1 ? [said.tasks] : []),
    ...topicsOf(row),
  ]
  return [...new Set(offers)].slice(0, MOST)
}

/** In a language whose words for decisions are not known, a promise counts as one. */
function tellsDecision(text: string, code: string): boolean {
  const { decisions, steps } = languageOf(code)
  const lower = text.toLowerCase()
  if (!decisions.isKnown) return steps.test(lower)
  const { tells, settles, undoes } = decisions
  return (tells.test(lower) || settles.test(lower)) && !undoes.test(lower)
}

/** The questions that were asked and answered in a recording, those about its topics first. */
async function askedAgain(
  db: Db,
  { id, language, topics, engine }: Known & { id: string; engine: string | null },
): Promise<string[]> {
  const known = languageOf(language ?? '')
  const { position, text, words } = turns
  const read = db
    .select({
      position,
      text,
      words,
      next: sql<string | null>`lead(${text}) over (order by ${position})`.as('next'),
    })
    .from(turns)
    .where(eq(turns.transcriptionId, id))
    .as('read')
  const asking = await db
    .select()
    .from(read)
    .where(sql`${read.text} ~ '[?？]'`)
    .orderBy(asc(read.position))
    .limit(MOST_READ)
  const checkBelow = checkBelowOf(engine)
  const found = asking.flatMap((turn) => {
    const doubted = turn.words
      .filter(({ confidence }) => isInDoubt(percentOf(confidence), checkBelow))
      .map((word) => bareWords(word.text))
    return askedIn(turn, known).filter(
      (question) =>
        !bareWords(question)
          .split(' ')
          .some((word) => doubted.includes(word)),
    )
  })
  const isOfTopic = (question: string) =>
    (topics ?? []).some((topic) => bareWords(question).includes(bareWords(topic)))
  return [...found.filter(isOfTopic), ...found.filter((question) => !isOfTopic(question))]
}

/** One topic of each of the newest recordings. */
export async function offersForLibrary(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .select(columns)
    .from(shownRows)
    .where(
      and(
        eq(shownRows.userId, userId),
        eq(shownRows.status, 'completed'),
        isNotNull(shownRows.topics),
      ),
    )
    .orderBy(desc(shownRows.createdAt))
    .limit(NEWEST)
  return [...new Set(rows.flatMap((row) => topicsOf(row).slice(0, 1)))].slice(0, MOST)
}

const topicsOf = ({ language, topics, ...row }: Known): string[] => {
  const said = phrases[language ?? '']
  if (!said) return []
  return (topics ?? []).map((topic) => said.about.replace('%', () => readSpeakers(topic, row)))
}
