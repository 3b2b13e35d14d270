/** Answers as the reference page shows them, shortened where real ones are long. */
import { AN_ID } from '../examples.ts'

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
}

const write = (value: unknown) => JSON.stringify(value, null, 2)

export const answers: Record<string, string> & {
  insufficientCredits: string
  getTranscription: string
} = {
  createTranscription: write({
    id: AN_ID,
    status: 'processing',
    originalName: 'interview.m4a',
    duration: 1284,
    creditsDeducted: 7,
    creditsRemaining: 135,
    createdAt: '2026-11-21T09:30:00.000Z',
  }),
  listTranscriptions: write([
    {
      id: AN_ID,
      status: 'completed',
      originalName: 'interview.m4a',
      duration: 1284,
      wordCount: 3127,
      language: 'en',
      speakers: ['Speaker A', 'Speaker B'],
      createdAt: '2026-11-21T09:30:00.000Z',
    },
  ]),
  getTranscription: write(transcription),
  deleteTranscription: write({
    message: 'The transcription is deleted.',
    restorableUntil: '2026-11-21T10:05:00.000Z',
  }),
  getUser: write({
    id: '0b8e9c1a-52f1-4d9c-8d52-3a5a6e0f4f11',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovett',
    credits: 142,
    planType: 'enterprise',
    subscriptionStatus: 'active',
    createdAt: '2026-03-02T08:00:00.000Z',
  }),
  insufficientCredits: write({
    message: 'Insufficient credits. You need 2 more credits to process this file.',
    code: 'insufficient_credits',
    creditsRequired: 7,
    creditsAvailable: 5,
    creditsMissing: 2,
  }),
}
