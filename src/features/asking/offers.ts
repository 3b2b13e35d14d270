/** Questions to begin with, made of what is known of a recording, in the language of its text. */
import { and, desc, eq, isNotNull } from 'drizzle-orm'

import { type Owned, type Row, isThere, shownRows } from '#features/row/row.ts'
import { languageOf } from '#features/writing/languages.ts'
import type { Db } from '#server/db.ts'
import { Refusal } from '#shared/refusals.ts'

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

const columns = {
  language: shownRows.language,
  topics: shownRows.topics,
  keyPoints: shownRows.keyPoints,
}
type Known = Pick<Row, keyof typeof columns>

/** @throws Refusal `not_found` */
export async function offersFor(db: Db, owned: Owned): Promise<string[]> {
  const [row] = await db.select(columns).from(shownRows).where(isThere(owned))
  if (!row) throw new Refusal('not_found')
  const said = phrases[row.language ?? '']
  if (!said) return []
  const { steps } = languageOf(row.language ?? '')
  const isOfSteps = (row.keyPoints ?? []).some(({ text, quote }) =>
    steps.test(`${text} ${quote ?? ''}`.toLowerCase()),
  )
  const topics = topicsOf(row)
  const [first, ...others] = topics
  const ofTopic = first === undefined ? [] : [first]
  const offers = isOfSteps ? [said.decided, ...ofTopic, said.tasks, ...others] : topics
  return [...new Set(offers)].slice(0, MOST)
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

const topicsOf = ({ language, topics }: Known): string[] => {
  const said = phrases[language ?? '']
  return said ? (topics ?? []).map((topic) => said.about.replace('%', () => topic)) : []
}
