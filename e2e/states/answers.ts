/**
 * Made-up answers of the server, with which every screen can be brought into every state without
 * waiting for a recogniser.
 */
import { readFileSync } from 'node:fs'

import type { Page, Route } from '@playwright/test'

import type {
  Answer as Answered,
  Answers as AskingAnswers,
  Quote,
} from '../../src/features/asking/contract.ts'
import type { Cuts, Render } from '../../src/features/cuts/contract.ts'
import type { FoundWords, Hidden, HiddenList } from '../../src/features/hiding/contract.ts'
import type { CaptionsChecked, ExportLook } from '../../src/features/exports/contract.ts'
import type {
  Job as OperatedJob,
  Letter,
  LetterPage,
  LogPage,
  ModelTried,
  Overview,
  ServerFacts,
  UserFacts,
  UserPage,
  UserRow,
} from '../../src/features/operators/contract.ts'
import { readConfig } from '../../src/server/config.ts'
import { everything } from '../../test/promises.ts'
import type {
  Account,
  ActivityEntry,
  AuthOptions,
  DataSize,
  SessionRow,
  User,
} from '../../src/features/account/contract.ts'
import type { Billing, CreditLine, CreditPage } from '../../src/features/billing/contract.ts'
import type { ApiKeys, Delivery, Webhook } from '../../src/features/developers/contract.ts'
import type {
  DocumentTemplate,
  DocumentType,
  GeneratedDocument,
} from '../../src/features/documents/contract.ts'
import type { Again, EngineAccuracy, Words } from '../../src/features/text/contract.ts'
import { packWords } from '../../src/features/text/packed-words.ts'
import type {
  Engines,
  LastOptions,
  Peaks,
  UploadAnswer,
  UploadInParts,
} from '../../src/features/recordings/contract.ts'
import type { Share, Shares } from '../../src/features/sharing/contract.ts'
import { type PageFacts, pageOf, plainPageOf } from '../../src/features/sharing/page.ts'
import type { Shown } from '../../src/features/sharing/shown.ts'
import type { Values } from '../../src/features/sharing/template.ts'
import type { Vocabulary } from '../../src/features/vocabulary/contract.ts'
import type { KnownSpeakers, Tags } from '../../src/features/library/contract.ts'
import type {
  SoFar,
  Transcription,
  TranscriptionRow,
} from '../../src/features/transcriptions/contract.ts'
import type { Translation, TranslationText } from '../../src/features/translations/contract.ts'
import { translatedNote } from '../../src/features/translations/status.ts'
import { documentKinds } from '../../src/features/writing/contract.ts'
import { type RefusalCode, refusals } from '../../src/shared/refusals.ts'
import { sample } from '../steps.ts'

/** The body of an answer, or a function that handles the call. */
export type Answer = object | ((route: Route) => unknown)
export type Answers = Record<string, Answer>

export const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const DAY = 86_400_000
export const NOW = Date.parse('2026-11-20T14:30:00Z')
const at = (daysAgo: number) => new Date(NOW - daysAgo * DAY).toISOString()

/** The sample from the byte on that is asked for: a player that is always sent all of it cannot seek. */
function sampleFrom(route: Route) {
  const bytes = readFileSync(sample)
  const [, from = '0'] = /^bytes=(\d+)-/.exec(route.request().headers()['range'] ?? '') ?? []
  return route.fulfill({
    status: 206,
    contentType: 'audio/mp4',
    headers: {
      'Accept-Ranges': 'bytes',
      'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
    },
    body: bytes.subarray(Number(from)),
  })
}

export const never = () => new Promise<never>(() => undefined)
export const broken = (route: Route) =>
  route.fulfill({
    status: 500,
    json: { message: 'Something broke on our side.', code: 'internal' },
  })
export const away = (route: Route) => route.abort()
/** Answers a call with a refusal, with its real status and sentence. */
export const refuse = (code: RefusalCode) => (route: Route) => {
  const [status, message] = refusals[code]
  return route.fulfill({ status, json: { message, code } })
}

/** An upload of which nothing is missing. */
export const taken = (answer: UploadAnswer): Answers => ({
  'POST /api/uploads': {
    id: id(20),
    name: answer.filename,
    sizeBytes: 1,
    partBytes: 1,
    parts: [],
  } satisfies UploadInParts,
  [`POST /api/uploads/${id(20)}/complete`]: answer,
})

export const user = (fields: Partial<User> = {}): User => ({
  id: id(1),
  email: 'ada.lovett@example.com',
  firstName: 'Ada',
  lastName: 'Lovett',
  profileImageUrl: null,
  credits: 142,
  planType: 'professional',
  subscriptionStatus: 'active',
  provider: 'email',
  createdAt: at(90),
  ...fields,
})

interface Said {
  speaker: number | null
  text: string
}

const LINES = [
  'So the question everyone asks first is whether anybody reads the minutes afterwards, and whether it matters who wrote them down.',
  'They do, mostly. The ones that came back with corrections are the ones we kept, and nobody has complained since the spring.',
  'And nobody wrote that down.',
  'I made some notes on paper, but the onboarding part is missing. We would need the recording for that, and for the two numbers at the end.',
]

const aFew = (place: number, turn: number) => place === 5 && turn < 7
export const manyInDoubt = (place: number) => place % 6 === 5
export const noneInDoubt = () => false

/** Turns of about `seconds` each, one after the other, a word every third of a second. */
export function words(
  said: readonly Said[],
  { seconds = 15, checkBelow = 50, isInDoubt = aFew } = {},
): Words {
  const speakers = [...new Set(said.map(({ speaker }) => speaker))].filter((one) => one !== null)
  const turns = said.map(({ speaker, text }, index) => {
    const startMs = index * seconds * 1_000
    const placed = [...text.matchAll(/\S+/g)].map((match, place) => ({
      from: match.index,
      to: match.index + match[0].length,
      startMs: startMs + place * 330,
      endMs: startMs + place * 330 + 300,
      confidence: isInDoubt(place, index) ? 20 : 96,
    }))
    return {
      id: id(1_000 + index),
      position: index,
      revision: 0,
      speaker,
      start: startMs / 1_000,
      end: (startMs + seconds * 1_000 - 500) / 1_000,
      text,
      isEdited: false,
      words: packWords(placed, startMs),
    }
  })
  return {
    revision: 0,
    checkBelow,
    speakers: speakers.map((speaker) => ({
      speaker,
      label: `Speaker ${String.fromCharCode(65 + speaker)}`,
      name: ['Ada Lovett', 'Ben Okafor', null][speaker] ?? null,
      talkTime: said.filter((one) => one.speaker === speaker).length * seconds,
    })),
    turns,
  }
}

export const said = (turns: number, speakers = 3): Said[] =>
  Array.from({ length: turns }, (_, index) => ({
    speaker: index % speakers,
    text: LINES[index % LINES.length] ?? '',
  }))

export const vocabulary = (): Vocabulary => ({
  revision: 3,
  terms: ['Ampex', 'Okafor', 'Kendal', 'Ulverston', 'Ravenglass', 'Field Notes'],
  heardAs: [
    { term: 'Okafor', as: ['Okafer', 'O’Cafor'] },
    { term: 'Ravenglass', as: ['Raven glass'] },
  ],
  used: [
    { term: 'Okafor', times: 31, lastAt: new Date().toISOString() },
    { term: 'Kendal', times: 1, lastAt: new Date().toISOString() },
  ],
  replacements: [
    { from: 'field notes', to: 'Field Notes', matchCase: true, wholeWord: true },
    { from: '10,000 reels', to: 'ten thousand reels', matchCase: false, wholeWord: false },
    { from: 'reels', to: 'tapes', matchCase: false, wholeWord: true },
  ],
})

/** A finished transcription, as a whole and as a row; a state changes the fields that matter to it. */
export const job = (
  fields: Partial<Transcription & TranscriptionRow> = {},
): Transcription & TranscriptionRow => ({
  id: id(10),
  status: 'completed',
  originalName: 'interview.m4a',
  transcriptionText: LINES.join('\n'),
  summary:
    'The minutes are read, and corrected, by most people who get them. The notes of the spring meeting lack the onboarding part, which is in the recording.\n\nTwo numbers at the end were not written down by anybody.',
  keyPoints: [
    'Most people read the minutes, and some send corrections.',
    'Nobody wrote down what was decided about onboarding.',
    'Two numbers at the end have to be heard again.',
    'The recording is kept until the minutes are agreed on.',
  ],
  keyPointTimes: [0, 30, 45, null],
  keyPointQuotes: [null, null, null, null],
  chapters: [],
  topics: ['Minutes', 'Onboarding', 'Corrections', 'Figures of the spring'],
  actionItems: [
    {
      id: id(90),
      text: 'Send the corrected minutes to everybody who was there.',
      who: 'Ada Lovett',
      speaker: 0,
      due: 'by Friday',
      dueDate: '2026-11-27',
      at: 30,
      quote: null,
      isSentence: false,
      isDone: false,
      isOwn: false,
    },
    {
      id: id(91),
      text: 'Ask the archive for the second recording.',
      who: 'Margaret',
      speaker: null,
      due: null,
      dueDate: null,
      at: 45,
      quote: null,
      isSentence: false,
      isDone: true,
      isOwn: false,
    },
  ],
  speakers: ['Ada Lovett', 'Ben Okafor', 'Speaker C'],
  speakerSegments: '[]',
  duration: 2_470,
  wordCount: 6_148,
  language: 'en',
  engine: 'a recogniser',
  summaryLanguage: 'en',
  summaryNote: 'Written by AI from this transcript. Check it before you quote it.',
  errorMessage: null,
  errorCode: null,
  canRetry: false,
  creditsRequired: 13,
  isSample: false,
  creditsReturned: null,
  recordedAt: null,
  filmStart: null,
  createdAt: at(1),
  recordingKeptUntil: at(-29),
  recordingDeletedAt: null,
  mediaType: 'audio/mp4',
  picture: null,
  tags: [],
  firstWords: LINES[0] ?? null,
  wordsInDoubt: 41,
  isShared: false,
  ...fields,
})

/** What was read of a running job: a number of turns, the last of which goes on. */
export const soFar = (turns: number, { speakers = 2, isHeldBack = false } = {}): SoFar => ({
  from: 0,
  next: turns,
  readTo: turns * 10,
  isToldApart: speakers > 0,
  isHeldBack,
  turns: said(turns).map(({ text }, index) => ({
    start: index * 10,
    end: index * 10 + 9,
    speaker: speakers > 0 ? index % speakers : null,
    text,
  })),
})

export const failed = (fields: Partial<Transcription> = {}) =>
  job({
    status: 'error',
    errorMessage: 'The recording could not be decoded after 12:40.',
    canRetry: true,
    creditsReturned: 13,
    wordCount: null,
    language: null,
    speakers: [],
    ...fields,
  })

export const tags = (fields: Partial<Tags> = {}): Tags => ({
  tags: ['Field Notes', 'Interviews', 'Kendal', 'To publish'].map((name, colour) => ({
    id: id(950 + colour),
    name,
    colour,
    count: [14, 9, 6, 0][colour] ?? 0,
  })),
  all: 47,
  none: 12,
  ...fields,
})

const NAMES = [
  'interview.m4a',
  'Team meeting of 12 November.mp3',
  'lecture-03-thermodynamics.wav',
  'Gespräch über Donaudampfschifffahrtsgesellschaften.mp4',
  'voice memo.m4a',
]
export const rows = (count: number): TranscriptionRow[] =>
  Array.from({ length: count }, (_, index) =>
    job({
      id: id(100 + index),
      originalName: NAMES[index % NAMES.length],
      duration: 600 + 731 * index,
      speakers: ['Ada Lovett', 'Ben Okafor', 'Speaker C'].slice(0, (index % 3) + 1),
      createdAt: at(index),
      tags: tags().tags.slice(index % 4, (index % 4) + (index % 3)),
      firstWords: LINES[index % LINES.length] ?? null,
      wordsInDoubt: index % 3 === 0 ? 41 : 0,
      ...(index === 4
        ? { status: 'error', canRetry: true, errorMessage: 'No speech was found.' }
        : {}),
    }),
  )

/** GET /api/transcriptions: what runs or waits, and what is finished. */
export const library =
  ({
    open = [],
    finished = [],
    total = finished.length,
    places = null,
  }: {
    open?: TranscriptionRow[]
    finished?: TranscriptionRow[]
    total?: number
    places?: number | null
  }) =>
  (route: Route) => {
    const query = new URL(route.request().url()).searchParams
    const isOpen = query.get('status') === 'open'
    const shown = isOpen ? open : finished
    return route.fulfill({
      json: shown,
      headers: {
        'X-Total-Count': String(isOpen ? open.length : total),
        ...(places === null ? {} : { 'X-Total-Places': String(places) }),
        ...(!isOpen && total > finished.length
          ? { Link: '</api/transcriptions?cursor=more>; rel="next"' }
          : {}),
      },
    })
  }

export const documentTypes: DocumentType[] = documentKinds.map(
  ({ id: kind, name, icon, description, includeImages, minWords, maxWords }) => ({
    id: kind,
    name,
    icon,
    description,
    includeImages,
    minWords,
    maxWords,
    isOwn: false,
  }),
)

export const template = (
  number: number,
  fields: Partial<DocumentTemplate> = {},
): DocumentTemplate => ({
  id: id(600 + number),
  name: 'Weekly report',
  instructions:
    'For the head of the team, who was not there.\nBegin with the one thing they have to know.',
  length: 'middle',
  parts: ['speakers', 'quotes', 'times'],
  createdAt: at(3),
  changedAt: at(2),
  ...fields,
})

export const ownType = (fields: Partial<DocumentType> = {}): DocumentType => ({
  id: `template:${id(601)}`,
  name: 'Weekly report',
  icon: 'PenLine',
  description: 'For the head of the team, who was not there.',
  includeImages: false,
  minWords: 150,
  maxWords: 500,
  isOwn: true,
  ...fields,
})

export const generated = (
  number: number,
  fields: Partial<GeneratedDocument> = {},
): GeneratedDocument => ({
  id: id(500 + number),
  title: 'Minutes: whether anybody reads the minutes afterwards',
  documentType: 'meeting-minutes',
  template: null,
  content:
    '# Minutes\n\n## Who spoke\n\n- Ada Lovett\n- Ben Okafor\n\n## What was decided\n\nThe recording is kept until the minutes are agreed on. **Nobody** wrote down what was decided about onboarding, and two numbers at the end have to be heard again before the next meeting.',
  wordCount: 412,
  createdAt: at(1),
  status: 'generated',
  note: 'Written by AI from this transcript. Check it before you quote it.',
  problem: null,
  isCreditReturned: false,
  ...fields,
})

export const billing = (fields: Partial<Billing> = {}): Billing => ({
  payments: 'test',
  plan: {
    planId: 'professional',
    status: 'active',
    periodEndsAt: at(-12),
    endsWithPeriod: false,
    nextPlanId: 'professional',
    hasPortal: true,
  },
  invoices: [],
  unmatched: [],
  ...fields,
})

const line = (number: number, fields: Partial<CreditLine>): CreditLine => ({
  id: number,
  at: at(number),
  what: 'Taken',
  title: 'interview.m4a',
  seconds: 2_470,
  note: null,
  transcriptionId: id(10),
  receiptUrl: null,
  change: -13,
  balance: 142,
  entries: [],
  ...fields,
})
export const ledger = (fields: Partial<CreditPage> = {}): CreditPage => ({
  available: 142,
  held: 13,
  spent: 45,
  count: 4,
  lines: [
    line(0, { what: 'Held', title: 'Team meeting of 12 November.mp3' }),
    line(2, {
      entries: [
        { at: at(2), words: 'Held for the recording', change: -13, balance: 129 },
        { at: at(2), words: 'Taken when it was done', change: 0, balance: 129 },
      ],
    }),
    line(9, {
      what: 'Bought',
      title: 'Professional',
      seconds: null,
      change: 150,
      balance: 155,
      transcriptionId: null,
    }),
    line(40, {
      what: 'Granted',
      title: 'For signing up',
      seconds: null,
      change: 10,
      balance: 10,
      transcriptionId: null,
    }),
  ],
  next: null,
  alertBelow: 5,
  ...fields,
})

export const ownAccount = (fields: Partial<Account> = {}): Account => ({
  hasPassword: true,
  readyMail: true,
  issuers: [{ id: 'google', name: 'Google', email: null, isOffered: true }],
  emailChange: null,
  ...fields,
})

export const session = (number: number, fields: Partial<SessionRow> = {}): SessionRow => ({
  id: id(600 + number),
  kind: 'web',
  method: 'password',
  device: 'Firefox on Linux',
  tokenEnd: null,
  isCurrent: number === 0,
  createdAt: at(20),
  lastUsedAt: at(number),
  expiresAt: at(-20),
  ...fields,
})

export const apiKeys = (fields: Partial<ApiKeys> = {}): ApiKeys => ({
  isAllowed: true,
  callsPerHour: 2_000,
  callsMade: 12,
  keys: [
    {
      id: id(700),
      name: 'Nightly import of the newsroom',
      prefix: 'quoth_live_8f2a',
      scopes: ['read', 'write'],
      createdAt: at(20),
      lastUsedAt: at(1),
      expiresAt: null,
    },
  ],
  ...fields,
})

export const webhook = (fields: Partial<Webhook> = {}): Webhook => ({
  id: id(800),
  url: 'https://newsroom.example.com/hooks/quoth-transcription-is-finished',
  description: 'Tells the newsroom',
  types: [],
  paused: null,
  createdAt: at(20),
  ...fields,
})
export const delivery = (number: number, fields: Partial<Delivery> = {}): Delivery => ({
  id: id(900 + number),
  messageId: `msg_${number}`,
  type: 'transcription.completed',
  status: 'delivered',
  tries: 1,
  lastTriedAt: at(1),
  lastStatus: 200,
  lastProblem: null,
  lastDurationMs: 84,
  nextTryAt: null,
  createdAt: at(1),
  body: '{"type":"transcription.completed"}',
  ...fields,
})

/** A link that others have opened. */
export const share = (fields: Partial<Share> = {}): Share => ({
  id: id(950),
  transcriptionId: id(10),
  name: 'interview.m4a',
  url: 'https://quoth.example/s/8KqT4mVxZr2hWn0LbYc6Pd',
  includes: ['recording', 'summary', 'names'],
  cuts: 'applied',
  render: null,
  summaryLeftOut: false,
  hasPassword: false,
  openings: 4,
  lastOpenedAt: new Date().toISOString(),
  createdAt: at(1),
  endsAt: new Date(Date.now() + 7 * DAY).toISOString(),
  ...fields,
})

const built = (name: string): string =>
  readFileSync(`${import.meta.dirname}/../../build/client/templates/${name}/index.html`, 'utf8')
export const LINK = '/s/8KqT4mVxZr2hWn0LbYc6Pd'
const html = (body: () => string) => (route: Route) =>
  route.fulfill({ body: body(), contentType: 'text/html; charset=utf-8' })

/** The page of a link, filled as the server fills it; a state changes what matters to it. */
export function shared(
  { spoken = said(12), ...fields }: Partial<Shown> & { spoken?: readonly Said[] } = {},
  facts: Partial<PageFacts> = {},
): Answers {
  const shown: Shown = {
    title: 'interview.m4a',
    createdAt: new Date(NOW),
    recordedAt: null,
    durationMs: 180_000,
    language: 'en',
    said: spoken.map(({ speaker, text }, turn) => ({
      speaker,
      startMs: turn * 15_000,
      endMs: turn * 15_000 + 14_500,
      text,
      words: text.split(' ').map((word, place) => ({
        text: word,
        startMs: turn * 15_000 + place * 330,
        endMs: turn * 15_000 + place * 330 + 300,
        confidence: 0.96,
      })),
    })),
    names: new Map([
      [0, 'Ada Lovett'],
      [1, 'Ben Okafor'],
    ]),
    chapters: [
      { title: 'Who reads the minutes', startMs: 0 },
      { title: 'Two numbers at the end', startMs: 90_000 },
    ],
    summary: {
      heading: 'Summary',
      text: 'The minutes are read, and corrected, by most people who get them.',
      keyPoints: [
        { text: 'Most people read the minutes.', startMs: 15_000 },
        { text: 'Two numbers at the end have to be heard again.', startMs: null },
      ],
      actionItems: [],
      topics: [],
      note: 'Sentences taken from this transcript. No language model is set up on this server.',
    },
    peaks: Array.from({ length: 1_000 }, (_, place) => Math.round(128 + 90 * Math.sin(place / 3))),
    ...fields,
  }
  const page: Omit<PageFacts, 'template'> = {
    origin: '',
    path: LINK,
    sharedBy: 'Ada Lovett',
    player: 'sound',
    file: null,
    ...facts,
  }
  return {
    [`GET ${LINK}`]: html(() => pageOf(shown, { ...page, template: built('share') })),
    [`GET ${LINK}/recording`]: sampleFrom,
    [`GET ${LINK}.vtt`]: (route) => route.fulfill({ body: 'WEBVTT\n', contentType: 'text/vtt' }),
  }
}

/** The page of a link that shows nothing, for this reason. */
export const closed = (name: 'share-ended' | 'share-password', values: Values = {}): Answers => ({
  [`GET ${LINK}`]: html(() =>
    plainPageOf(built(name), { path: LINK, sharedBy: 'Ada Lovett', problem: false, ...values }),
  ),
})

/** What transcribing again would be; a state adds what the last time left to decide. */
export const again = (fields: Partial<Again> = {}): Again => ({
  offer: {
    creditsRequired: 13,
    creditsAvailable: 142,
    corrections: 14,
    options: { language: 'en', speakers: 'auto', channels: 'auto', terms: ['Okafor', 'Kendal'] },
    channels: 1,
    areTracks: false,
    speakersFound: 2,
  },
  carried: null,
  earlier: null,
  ...fields,
})

/** A new text with two corrections that have no place in it, and a name that is not sure. */
export const carried = (): Again =>
  again({
    carried: {
      placed: 12,
      questions: [
        { kind: 'name', number: 0, decision: 'open', speaker: 2, name: 'Grace Hopper' },
        {
          kind: 'text',
          number: 1,
          decision: 'open',
          speaker: 1,
          start: 15.99,
          end: 16.62,
          was: 'The once',
          mine: 'The runs',
          now: 'The ones',
        },
        {
          kind: 'text',
          number: 2,
          decision: 'open',
          speaker: 2,
          start: 31.32,
          end: 31.32,
          was: '',
          mine: 'Margaret',
          now: '',
        },
      ],
    },
    earlier: { keptUntil: at(-30) },
  })

const one = `/api/transcriptions/${id(10)}`
export const result = (fields: Partial<Transcription> = {}, spoken = words(said(12))): Answers => ({
  [`GET ${one}`]: job(fields),
  [`GET ${one}/words`]: spoken,
  [`GET ${one}/translations`]: [],
  [`GET ${one}/cuts`]: cuts([]),
  [`GET ${one}/hidden`]: { hidden: [], olderFiles: [] } satisfies HiddenList,
})

/** Words of the text that are hidden for others, and files that still have them. */
export const hidden = (sound: Hidden['sound'] = 'made'): Answers => {
  const both = [
    { words: ['onboarding'], mark: 'bar' },
    { words: ['Margaret'], mark: 'name' },
  ] as const
  return {
    ...result({ hiddenForOthers: both.map(({ words, mark }) => ({ words: [...words], mark })) }),
    [`GET ${one}/hidden`]: {
      hidden: both.map(({ words, mark }, place) => ({
        id: id(420 + place),
        for: 'others',
        words: [...words],
        mark,
        places: place === 0 ? 9 : 1,
        sound,
        progress: sound === 'making' ? 40 : 100,
        createdAt: at(0),
      })),
      olderFiles: [id(400), id(401)],
    } satisfies HiddenList,
  }
}

/** Where a name is that is looked for, and what else was heard for it. */
export const foundName = (): Answers => ({
  [`POST ${one}/hidden/find`]: {
    counts: {
      text: 9,
      seconds: 6.6,
      summary: 2,
      chapters: 1,
      documents: 1,
      translations: 0,
      questions: 0,
      others: 0,
    },
    places: [],
    proposals: ['Margaret', 'Mrs Hale', 'Margret'].map((text) => ({
      text,
      kind: 'near' as const,
      isLikely: true,
      count: 2,
      places: [{ turnId: id(1_000), start: 12, end: 13, before: 'ask', text, after: 'about it' }],
    })),
  } satisfies FoundWords,
})

/** What is cut of the recording, in seconds. */
export const render = (fields: Partial<Render> = {}): Render => ({
  id: id(fields.format === 'wav' ? 401 : fields.format === 'ogg' ? 402 : 400),
  transcriptionId: id(10),
  format: 'mp3',
  status: 'made',
  progress: 100,
  ahead: 0,
  name: 'interview (cut).mp3',
  clip: null,
  duration: 597,
  sizeBytes: 9_400_000,
  problem: null,
  isAsCut: true,
  isAsWritten: true,
  createdAt: at(0),
  keptUntil: at(-7),
  ...fields,
})

export const cuts = (list: Cuts['cuts'], duration = 606): Cuts => ({
  cuts: list,
  remaining: list.reduce((left, { start, end }) => left - (end - start), duration),
  canUndo: list.length > 0,
  act: list.length > 0 ? '1-0' : null,
  files: 0,
})

const VOICES = ['Ada Lovett', 'Ben Okafor', 'Mara Lind', 'Priya Nair', 'Tomas Reyes']
/** Who says what in the talk, again and again. */
const TALKED: [speaker: number, text: string][] = [
  [
    0,
    'Right, everybody is here. Ten minutes, and then Tomas has a train. Ben, where do the tapes stand?',
  ],
  [
    1,
    'Four hundred and twelve done, about eighty to go. The last two boxes are the Ampex stock, so those go through the oven first.',
  ],
  [0, 'How long is that?'],
  [
    1,
    'Eight hours a reel at fifty-four degrees. I can do six at once, so call it two weeks, if nothing breaks.',
  ],
  [
    2,
    'Something always breaks. Can we open the reading room with what we have and add the rest as they come?',
  ],
  [0, 'I would rather open with all of it, but I would much rather open in March.'],
  [0, 'Priya, does the listening page mind if tapes arrive later?'],
  [
    3,
    'It does not mind at all. The search is rebuilt every night. A new tape is there the next morning.',
  ],
  [0, 'Then we open with what we have.'],
  [4, 'Good. That is one decision, and we have nine minutes left.'],
]

/** A talk of ten minutes: five voices, chapters, and one word in 17 in doubt. */
export function talk(fields: Partial<Transcription> = {}): Answers {
  const said = Array.from(
    { length: 140 },
    (_, index) => TALKED[index % TALKED.length] ?? ([0, ''] as const),
  )
  const spoken = words(
    said.map(([speaker, text]) => ({ speaker, text })),
    { seconds: 606 / 140, isInDoubt: (place, turn) => (place + turn * 5) % 17 === 3 },
  )
  spoken.speakers.forEach((one, place) => (one.name = VOICES[place] ?? null))
  const chapters = [
    'Where the tapes stand',
    'The oven',
    'Names in the recordings',
    'Opening day',
    'Who does what',
  ]
  return result(
    {
      originalName: 'archive-weekly-14.m4a',
      duration: 606,
      wordCount: 1_834,
      speakers: VOICES,
      chapters: chapters.map((title, place) => ({ title, start: place * 130 })),
      chaptersBy: 'model',
      summary:
        'The reading room opens in March with the 412 tapes that are done; the last eighty follow as they are baked. A third of the boxes carry only a first name, so visitors may later say who is speaking. Mara reads what they write before anybody else does. Nobody wrote down who brings the key.',
      ...fields,
    },
    spoken,
  )
}

/** Where questions to this recording, and to the library, are asked and their answers kept. */
export const questions = `${one}/questions`

export const quoted = (fields: Partial<Quote> = {}): Quote => ({
  transcriptionId: id(10),
  turnId: id(1_001),
  name: 'field-notes-12-ben-okafor.m4a',
  at: 15.99,
  speaker: 'Ben Okafor',
  speakerNumber: 1,
  text: 'The ones that came back with corrections are the ones we kept',
  marks: [],
  isInDoubt: false,
  ...fields,
})

export const answer = (fields: Partial<Answered> = {}): Answered => ({
  id: id(700),
  question: 'Does anybody read the minutes?',
  kind: 'answer',
  text: 'Most people do. Those that came back with corrections were kept.',
  notSaid: null,
  quotes: [quoted(), quoted({ at: 33, turnId: id(1_002), text: 'nobody wrote that down' })],
  note: null,
  createdAt: at(0),
  ...fields,
})

/** What a search finds without a language model. */
export const passages = (fields: Partial<Answered> = {}): Answered =>
  answer({
    kind: 'passages',
    text: null,
    note: 'no-model',
    quotes: [
      quoted({
        at: 1.98,
        turnId: id(1_000),
        speaker: 'Ada Lovett',
        speakerNumber: 0,
        text: 'whether anybody reads the minutes afterwards',
        marks: [
          [8, 15],
          [16, 21],
          [26, 33],
        ],
      }),
    ],
    ...fields,
  })

export const asked = (fields: Partial<AskingAnswers> = {}): AskingAnswers => ({
  answers: [],
  hasModel: true,
  left: 18,
  perDay: 40,
  offers: ['What did they decide?', 'What is said about the minutes?', 'Who should do what?'],
  ...fields,
})

/** A translation, and what is answered where it is asked for. */
export function translated(
  fields: Partial<Translation> = {},
  turns: TranslationText['turns'] = [],
): Answers {
  const language = fields.language ?? 'de'
  const translation: Translation = {
    id: id(70),
    language,
    status: 'translated',
    progress: 100,
    turnsInAll: 12,
    turnsDone: 12,
    ahead: 0,
    creditsReserved: 0,
    createdAt: at(1),
    finishedAt: at(0),
    isReadable: turns.length > 0,
    changed: 0,
    untranslated: 0,
    problem: null,
    isCreditReturned: false,
    note: translatedNote(language),
    ...fields,
  }
  return {
    [`GET ${one}/translations`]: [translation],
    [`GET ${one}/translations/${language}`]: { ...translation, turns } satisfies TranslationText,
  }
}

/** The same turns in other words. */
export const inOther = (said: readonly Said[]): TranslationText['turns'] =>
  said.map(({ text }, index) => ({
    id: id(1_000 + index),
    text,
    isChanged: false,
    isUnsure: false,
  }))

/** What a check of captions found: how many of them break a rule. */
export const captions = (broken: number): CaptionsChecked => ({
  cues: 612,
  broken,
  shortNames: [],
  places: Array.from({ length: broken }, (_, place) => ({
    cue: 4 + 9 * place,
    start: 14 + 37 * place,
    rule: 'too_fast' as const,
    is: 1_208,
    limit: 1_650,
    text: 'and then the whole committee answered before anybody had read it',
  })),
})

/** How an exported file begins: a page of a document, or the text of every other format. */
const lookAtExport = (route: Route) => {
  const format = new URL(route.request().url()).searchParams.get('format') ?? ''
  const said = 'The minutes were read and taken as read, and the tapes stay in the oven.'
  const spoken = Array.from({ length: 12 }, (_, index) => [
    {
      as: 'who' as const,
      parts: [
        { as: 'time' as const, text: `00:0${Math.floor(index / 6)}:${10 + index}` },
        { as: 'name' as const, text: index % 2 === 0 ? 'Ada Lovett' : 'Ben Okafor' },
      ],
    },
    { as: 'text' as const, text: said },
  ]).flat()
  const page: ExportLook = {
    name: `interview.${format}`,
    isWhole: false,
    language: 'en',
    page: [
      { as: 'title', text: 'interview' },
      { as: 'facts', text: 'English · 41:10' },
      { as: 'chapter', text: 'Where the tapes stand' },
      ...spoken,
    ],
  }
  const text: ExportLook = {
    name: `interview.${format}`,
    isWhole: false,
    sizeBytes: 41_200,
    text: `1\n00:00:00,240 --> 00:00:03,180\n${said}\n\n`.repeat(16),
  }
  return route.fulfill({ json: ['docx', 'pdf', 'html'].includes(format) ? page : text })
}

/** The answers that a state gets unless it gives others. */
const usual: Answers = {
  'GET /api/accuracy': [
    { engine: 'pocketsphinx', recordings: 3, words: 1_328, corrected: 312 },
    { engine: 'whisper-1', recordings: 1, words: 6_148, corrected: 55 },
  ] satisfies EngineAccuracy[],
  'GET /api/user': user(),
  'GET /api/auth/options': {
    oidc: null,
    devMail: null,
    signUp: 'open',
  } satisfies AuthOptions,
  'GET /api/engines': {
    speech: {
      name: 'a recogniser',
      languages: null,
      takesTerms: true,
      note: 'Recognized on this server by a recogniser, in any language it knows.',
    },
    writing: { name: 'a model', note: null },
  } satisfies Engines,
  'GET /api/capabilities': everything,
  'GET /api/options': {
    language: 'auto',
    speakers: 'max:4',
    channels: 'auto',
    terms: ['Okafor', 'Kendal', 'Ampex', 'binder', 'Ulverston'],
  } satisfies LastOptions,
  'GET /api/transcriptions': library({ finished: rows(5) }),
  [`GET ${one}/captions`]: captions(0),
  [`GET ${one}/export`]: lookAtExport,
  [`GET /api/transcriptions/${id(100)}/export`]: lookAtExport,
  [`GET /api/transcriptions/${id(100)}/captions`]: captions(0),
  [`GET /api/transcriptions/${id(100)}/cuts`]: cuts([]),
  'GET /api/tags': tags(),
  'GET /api/speakers': [
    { name: 'Ada Lovett', count: 9 },
    { name: 'Ben Okafor', count: 4 },
  ] satisfies KnownSpeakers,
  [`GET ${one}/again`]: again(),
  [`GET /api/transcriptions/${id(100)}/again`]: again(),
  [`GET ${one}/peaks`]: {
    peaks: Array.from({ length: 1_000 }, (_, place) =>
      Math.round(128 + 90 * Math.sin(place / 3) * Math.sin(place / 47)),
    ),
    duration: 2_470,
  } satisfies Peaks,
  [`GET ${one}/so-far`]: soFar(0),
  [`GET ${questions}`]: asked(),
  'GET /api/questions': asked(),
  [`GET ${one}/shares`]: { shares: [] } satisfies Shares,
  [`GET /api/transcriptions/${id(100)}/shares`]: { shares: [] } satisfies Shares,
  'GET /api/shares': {
    shares: [
      share(),
      share({ id: id(951), name: `${'A long name of a recording '.repeat(4)}.mp3`, openings: 0 }),
      share({ id: id(952), url: null, hasPassword: true, endsAt: null }),
    ],
  } satisfies Shares,
  [`GET ${one}/media`]: sampleFrom,
  [`GET /api/transcription/${id(10)}/documents`]: [],
  'GET /api/document-types': documentTypes,
  'GET /api/document-templates': {
    templates: [template(1), template(2, { name: 'Sales call' })],
    trialsLeft: 9,
  },
  'GET /api/billing': billing(),
  'GET /api/credits': ledger(),
  'GET /api/account': ownAccount(),
  'GET /api/account/sessions': [
    session(0),
    session(3, { device: 'Safari on iPhone' }),
    session(5, { kind: 'token', device: 'curl', tokenEnd: 'x7Qd' }),
  ],
  'GET /api/account/activity': [
    { id: 3, kind: 'signed_in', device: 'Firefox on Linux', count: null, at: at(0) },
    { id: 2, kind: 'sessions_ended', device: 'Firefox on Linux', count: 2, at: at(3) },
    { id: 1, kind: 'password_changed', device: 'Safari on iPhone', count: null, at: at(8) },
  ] satisfies ActivityEntry[],
  'GET /api/account/data': {
    parts: [
      { name: 'Recordings', files: 5, sizeBytes: 212_000_000 },
      { name: 'Transcripts', files: 5, sizeBytes: 480_000 },
    ],
  } satisfies DataSize,
  'GET /api/keys': apiKeys(),
  'GET /api/vocabulary': vocabulary(),
  'GET /api/webhooks': [webhook()],
  [`GET /api/webhooks/${id(800)}/deliveries`]: [
    delivery(1),
    delivery(2, { status: 'failed', tries: 8, lastStatus: 500, lastProblem: 'It answered 500.' }),
    delivery(3, {
      status: 'waiting',
      tries: 2,
      lastStatus: null,
      lastProblem: 'No answer within 15 seconds.',
      nextTryAt: at(-1),
    }),
  ],
}

const operated = (fields: Partial<OperatedJob>): OperatedJob => ({
  id: id(10),
  kind: 'Transcription',
  userId: id(1),
  email: 'ada.lovett@example.com',
  state: 'running',
  status: 'transcribing: chunks',
  beganAt: at(0),
  seconds: 2_470,
  errorCode: null,
  tries: 1,
  canRunAgain: false,
  hasFailedAlike: false,
  ...fields,
})
const aLetter: Letter = {
  id: id(40),
  userId: id(1),
  name: 'Ada Lovett',
  email: 'ada.lovett@example.com',
  subject: 'An invoice for October',
  type: 'billing',
  message: 'Could you send me the invoice once more? The link in the mail has ended.',
  reference: null,
  at: at(1),
  answeredAt: null,
}
const aPerson: UserRow = {
  id: id(1),
  email: 'ada.lovett@example.com',
  name: 'Ada Lovett',
  plan: 'Professional',
  credits: 142,
  seenAt: at(0),
  isBlocked: false,
}
const works = { state: 'works', threshold: '', advice: '', last: null } as const
const jobsOfAll = [
  operated({}),
  operated({
    id: id(11),
    state: 'waiting',
    status: 'queued',
    email: 'x'.repeat(60) + '@example.com',
  }),
  operated({ id: id(12), state: 'failed', status: 'error', errorCode: 'not_media', tries: 3 }),
  operated({ id: id(13), state: 'failed', status: 'error', tries: 3, canRunAgain: true }),
]

/** What an operator sees of a server where one thing is to be looked at. */
export const operations = (fields: Partial<Overview> = {}): Answers => ({
  'GET /api/admin': {
    readAt: new Date().toISOString(),
    health: [
      {
        name: 'Database',
        group: 'Database',
        ...works,
        measure: '2 ms',
        second: '4 of 12 connections',
      },
      { name: 'Queue', group: 'Processes', ...works, measure: '1 waits', second: 'oldest 4 s' },
      { name: 'Storage', group: 'Storage', ...works, measure: '212 GB free', second: 'of 500 GB' },
      {
        name: 'Speech engine',
        group: 'Speech',
        ...works,
        measure: 'pocketsphinx',
        second: 'sandboxed',
      },
      { name: 'Summaries', group: 'Summaries', ...works, measure: 'extractive', second: '' },
      {
        name: 'Mail',
        state: 'look',
        measure: 'Kept on this machine',
        second: 'no SMTP_URL',
        threshold: 'not sent',
        advice: 'Nobody gets mail from this server. Set SMTP_URL.',
        group: 'Mail',
        last: null,
      },
    ],
    jobs: { running: 1, waiting: 1, failed: 2 },
    users: 1,
    unanswered: 1,
    unmatched: [],
    signUp: 'invited',
    ...fields,
  } satisfies Overview,
  'GET /api/admin/jobs': jobsOfAll,
  'GET /api/admin/users': { users: [aPerson], hasMore: false } satisfies UserPage,
  'GET /api/admin/letters': { letters: [aLetter], hasMore: false } satisfies LetterPage,
  'GET /api/admin/invitations': [
    { id: id(60), email: 'grace@example.com', at: at(1), expiresAt: at(-6) },
  ],
  [`GET /api/admin/users/${id(1)}`]: {
    user: {
      ...aPerson,
      isVerified: true,
      isOperator: false,
      joinedAt: at(90),
      recordings: 12,
      recordedSeconds: 40_000,
    },
    available: 142,
    reserved: 3,
    usedThisMonth: 58,
    limits: {
      own: { callsPerHour: 600, unconfirmedUploads: null },
      ofPlan: { callsPerHour: 500, unconfirmedUploads: 20 },
    },
    blocked: null,
    jobs: jobsOfAll,
    letters: [aLetter],
  } satisfies UserFacts,
  [`GET /api/admin/users/${id(1)}/credits`]: { rows: [], next: null },
  'GET /api/admin/log': {
    lines: [
      {
        id: id(71),
        seq: 2,
        at: at(0),
        operator: 'operator@quoth.example',
        kind: 'limits',
        userId: id(1),
        email: 'ada.lovett@example.com',
        subject: null,
        credits: null,
        limits: { callsPerHour: 600, unconfirmedUploads: null },
        reason: 'Moves an archive over',
      },
      {
        id: id(70),
        seq: 1,
        at: at(0),
        operator: 'operator@quoth.example',
        kind: 'adjust',
        userId: id(1),
        email: 'ada.lovett@example.com',
        subject: null,
        credits: 5,
        limits: null,
        reason: 'Goodwill for the lost hour',
      },
    ],
    next: null,
  } satisfies LogPage,
})

/** What operators read of how a server is set up; with a language model unless it is told otherwise. */
export const setUp = (fields: Partial<ServerFacts> = {}): Answers => ({
  'GET /api/admin/server': {
    engines: [
      { speech: 'Parakeet 110M', wordsPerError: 20, speakers: 'pyannote, TitaNet', writing: 'llm' },
    ],
    models: [{ id: 'parakeet-110m-en', title: 'Parakeet 110M', sizeBytes: 130e6, state: 'used' }],
    better: [],
    languageModel: { host: '127.0.0.1:11434', name: 'quoth-writer', isUsed: true },
    mailServer: 'mail.example:465',
    looks: [
      {
        group: 'Mail',
        isFailing: true,
        what: 'The mail server refuses.',
        at: new Date().toISOString(),
        why: 'mail.example:465: it does not take the user and password of SMTP_URL. Mails wait in the queue for a day.',
      },
      {
        group: 'Summaries',
        isFailing: false,
        what: '2 of 14 with a note today.',
        at: new Date().toISOString(),
        why: 'Sentences taken from this transcript. The language model of this server gave no usable answer.',
      },
    ],
    settings: readConfig({
      PUBLIC_URL: 'https://quoth.example',
      TRUST_PROXY: 'loopback',
      DATABASE_URL: 'postgres://quoth:secret@db/quoth',
      SMTP_URL: 'smtps://quoth:secret@mail.example',
      LLM_BASE_URL: 'http://127.0.0.1:11434/v1',
      LLM_MODEL: 'quoth-writer',
      LLM_API_KEY: 'secret',
    }).shown,
    ...fields,
  } satisfies ServerFacts,
})

/** What came of trying a language model. */
export const triedModel = (fields: Partial<ModelTried> = {}): Answers => ({
  'POST /api/admin/try-model': {
    isAccepted: true,
    said: 'It works: this answer would be shown.',
    answer: 'The ferry was late again, and Ben will ask the office for a larger boat on Friday.',
    facts: '3.2 s · English · 412 tokens read, 96 written · asked once',
    hints: [],
    ...fields,
  } satisfies ModelTried,
})

/** Makes the page get these answers in place of the server's. */
export async function answerWith(page: Page, answers: Answers): Promise<void> {
  // The server has these for operators alone; the file is the same for every page of the app.
  await page.route(
    (url) => /^\/admin\b/.test(url.pathname),
    async (route) => {
      const { origin } = new URL(route.request().url())
      await route.fulfill({ response: await route.fetch({ url: `${origin}/dashboard` }) })
    },
  )
  await page.route(
    (url) => /^\/(api|s)\//.test(url.pathname),
    async (route) => {
      const request = route.request()
      const call = `${request.method()} ${new URL(request.url()).pathname}`
      const answer = answers[call] ?? usual[call]
      if (typeof answer === 'function') await answer(route)
      else if (answer) await route.fulfill({ json: answer })
      else
        await route.fulfill({
          status: 404,
          json: { message: `Nobody answers ${call}.`, code: 'not_found' },
        })
    },
  )
}
