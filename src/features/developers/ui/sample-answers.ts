/** Answers as the reference page shows them: some of their fields, and short texts. */
import type { User } from '#features/account/contract.ts'

import type { Started } from '../contract.ts'
import { AN_ID } from './examples.ts'

const transcription = {
  id: AN_ID,
  status: 'completed',
  originalName: 'interview.m4a',
  transcriptionText: 'Thanks for coming in. Let us start with the budget. …',
  summary: 'The two go through the budget and agree on a date for the launch.',
  keyPoints: ['The launch moves to the first week of March.'],
  topics: ['budget', 'launch'],
  speakers: ['Speaker A', 'Speaker B'],
  speakerSegments: '[{"start":0.4,"end":3.1,"speaker":"Speaker A","text":"Thanks for coming in."}]',
  duration: 1284,
  wordCount: 3127,
  language: 'en',
  errorMessage: null,
  createdAt: '2026-11-21T09:30:00.000Z',
} satisfies Partial<Started>
const started = {
  ...transcription,
  status: 'processing',
  creditsDeducted: 7,
  creditsRemaining: 135,
} satisfies Partial<Started>
const user: Partial<User> = {
  id: '0b8e9c1a-52f1-4d9c-8d52-3a5a6e0f4f11',
  email: 'ada@example.com',
  firstName: 'Ada',
  lastName: 'Lovett',
  credits: 142,
  planType: 'enterprise',
  subscriptionStatus: 'active',
  createdAt: '2026-03-02T08:00:00.000Z',
}

/** As JSON; with a list of fields, those in its order. */
const write = (answer: unknown, fields?: string[]) => JSON.stringify(answer, fields, 2)
const ofFile = ['id', 'status', 'originalName', 'duration']

export const answers = {
  createTranscription: write(started, [
    ...ofFile,
    'creditsDeducted',
    'creditsRemaining',
    'createdAt',
  ]),
  listTranscriptions: write(
    [transcription],
    [...ofFile, 'wordCount', 'language', 'speakers', 'createdAt'],
  ),
  getTranscription: write(transcription),
  deleteTranscription: write({
    message: 'The transcription is deleted.',
    restorableUntil: '2026-11-21T10:05:00.000Z',
  }),
  getUser: write(user),
  insufficientCredits: write({
    message: 'Insufficient credits. You need 2 more credits to process this file.',
    code: 'insufficient_credits',
    creditsRequired: 7,
    creditsAvailable: 5,
    creditsMissing: 2,
  }),
}
