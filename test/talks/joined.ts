/**
 * Thirty questions about two long recordings, each made of several talks: of 20 and of 38 minutes. They
 * were written down, with the words that a model would look for, before anything was tuned with them.
 */
import { type Talk, type TalkName, readTalk } from './talks.ts'

export const joined = {
  twenty: ['ferry-launch', 'coffee-roaster'],
  forty: ['gartenverein', 'ferry-launch', 'coffee-roaster', 'bridges-lecture'],
} as const satisfies Record<string, readonly TalkName[]>

/** One talk after the other, as one recording in English. */
export function joinedTalk(name: keyof typeof joined): Talk {
  let durationMs = 0
  const parts = joined[name].map((one) => {
    const talk = readTalk(one)
    const at = durationMs
    durationMs += talk.durationMs
    const moved = <Timed extends { startMs: number; endMs: number }>(timed: Timed) => ({
      ...timed,
      startMs: timed.startMs + at,
      endMs: timed.endMs + at,
    })
    return {
      speakers: talk.speakers,
      turns: talk.turns.map((turn) => ({
        ...moved(turn),
        words: turn.words.map((word) => moved(word)),
      })),
    }
  })
  return {
    name: `${name}.m4a`,
    language: 'en',
    durationMs,
    speakers: [...new Set(parts.flatMap(({ speakers }) => speakers))],
    turns: parts.flatMap(({ turns }) => turns),
  }
}

export interface JoinedQuestion {
  of: keyof typeof joined
  question: string
  /** Words that a model would look for. */
  words: string
  /** How the passage begins that answers it; null where nobody said it. */
  moment: string | null
  before?: { question: string; answer: string }
}

const lastThird: JoinedQuestion[] = [
  {
    of: 'twenty',
    question: 'Who repaired the gear of the old roaster?',
    words: 'clockmaker gear machine watchmaker Germany',
    moment: 'A retired clockmaker',
  },
  {
    of: 'twenty',
    question: 'Where does the company get its raw material?',
    words: 'beans Ethiopia Colombia cooperative farmers harvest',
    moment: 'Most of them from one cooperative',
  },
  {
    of: 'twenty',
    question: 'What hangs on the wall in memory of her teacher?',
    words: 'thermometer photograph passed daughter',
    moment: 'He passed away three years',
  },
  {
    of: 'twenty',
    question: 'What went wrong with the bookkeeping?',
    words: 'accounts tax books accountant money',
    moment: 'And learn to do the accounts',
  },
  {
    of: 'twenty',
    question: 'How does the climate affect the farmers?',
    words: 'weather rain harvest drought mountain',
    moment: 'Yes, very much. The rain',
  },
  {
    of: 'forty',
    question: 'What did the student in New York discover?',
    words: 'thesis engineer numbers wind mistake building',
    moment: 'a student named diane hartley',
  },
  {
    of: 'forty',
    question: 'Why was the repair in Genoa too late?',
    words: 'morandi cables rust autumn planned',
    moment: 'and morandi himself had warned',
  },
  {
    of: 'forty',
    question: 'Which weak spot do inspectors overlook?',
    words: 'water crack joint pillar under',
    moment: 'so if you remember one thing',
  },
  {
    of: 'forty',
    question: 'What may students take into the test?',
    words: 'exam sheet paper notes hall',
    moment: 'the exam is on the twentieth',
  },
  {
    of: 'forty',
    question: 'What should people wear on the trip?',
    words: 'shoes excursion boots clothes viaduct',
    moment: 'the excursion to the viaduct',
  },
]

const inOtherLanguages: JoinedQuestion[] = [
  {
    of: 'twenty',
    question: 'Was kosten die Plastikkarten?',
    words: 'cards cost cents printer price plastic',
    moment: 'I asked two printers',
  },
  {
    of: 'twenty',
    question: '¿Por qué dejó el hospital?',
    words: 'hospital left back stopped nurse health',
    moment: 'In two thousand and eleven',
  },
  {
    of: 'forty',
    question: 'Pourquoi le pont de Tay est-il tombé ?',
    words: 'Tay fell wind iron inquiry',
    moment: 'now why did it fall',
  },
  {
    of: 'forty',
    question: '検札機の何が問題ですか？',
    words: 'scanners sunlight display battery problem',
    moment: 'In direct sunlight nobody',
  },
  {
    of: 'forty',
    question: 'Wie viele Leute arbeiten in der Rösterei?',
    words: 'employees people work staff roastery',
    moment: 'Seven, with me',
  },
]

const followUps: JoinedQuestion[] = [
  {
    of: 'twenty',
    before: { question: 'What is missing in the app?', answer: 'Refunds are missing.' },
    question: 'And who has to sign for that?',
    words: 'legal form signed refunds payment',
    moment: 'The payment company says',
  },
  {
    of: 'twenty',
    before: { question: 'Who lent her money?', answer: 'Her sister lent her eleven thousand.' },
    question: 'What did she buy with it?',
    words: 'machine bought roaster built',
    moment: 'This one here, the green one',
  },
  {
    of: 'forty',
    before: { question: 'Which bridge moved so much?', answer: 'The Tacoma Narrows bridge did.' },
    question: 'Did anyone die there?',
    words: 'died dog Tacoma survived killed',
    moment: 'the only one who died',
  },
  {
    of: 'forty',
    before: { question: 'When does the south line start?', answer: 'It starts in February.' },
    question: 'Why not earlier?',
    words: 'money year scanners February winter December',
    moment: 'I would rather move the south line',
  },
  {
    of: 'forty',
    before: { question: 'Whom did the engineer tell?', answer: 'He told the bank everything.' },
    question: 'How was it fixed?',
    words: 'welded plates joints night repair',
    moment: 'they welded two inch plates',
  },
]

const byTimeOrSpeaker: JoinedQuestion[] = [
  {
    of: 'twenty',
    question: 'What was said at the end?',
    words: 'goodbye finally thanks',
    moment: 'Now we can put the first batch in',
  },
  {
    of: 'twenty',
    question: 'What did Siobhan say about the charging?',
    words: 'battery charge shift lunch',
    moment: 'The other thing is the battery',
  },
  {
    of: 'twenty',
    question: 'What advice was given in the last two minutes?',
    words: 'advice beginners recommend start',
    moment: "Don't buy a big machine",
  },
  {
    of: 'forty',
    question: 'What did Lena say about money?',
    words: 'budget thousand year euros',
    moment: 'So for this year we were given',
  },
  {
    of: 'forty',
    question: 'What is explained at 32:00?',
    words: 'explanation because means',
    moment: 'one of them broke because of a crack',
  },
]

const unsaid: JoinedQuestion[] = [
  {
    of: 'twenty',
    question: 'What is the name of the mayor?',
    words: 'mayor name called',
    moment: null,
  },
  {
    of: 'twenty',
    question: 'What does a cup cost in London?',
    words: 'cup price pounds',
    moment: null,
  },
  {
    of: 'twenty',
    question: 'Which airline flies to Leeds?',
    words: 'plane flight airport',
    moment: null,
  },
  {
    of: 'forty',
    question: 'Who won the football match?',
    words: 'goal team football',
    moment: null,
  },
  {
    of: 'forty',
    question: 'What is the number of the hospital?',
    words: 'telephone hospital number',
    moment: null,
  },
]

export const joinedQuestions = [
  ...lastThird,
  ...inOtherLanguages,
  ...followUps,
  ...byTimeOrSpeaker,
  ...unsaid,
]
