import { z } from 'zod'

import { LONGEST_QUESTION } from '#shared/business.ts'

export const Question = z.object({
  question: z
    .string('Please type a question')
    .trim()
    .min(1, 'Please type a question')
    .max(LONGEST_QUESTION, `A question has at most ${LONGEST_QUESTION} characters`)
    .describe('In ordinary words.'),
})
export type Question = z.infer<typeof Question>

/** Words of the transcript, letter for letter, and where they were said. */
export const Quote = z.object({
  transcriptionId: z.uuid(),
  turnId: z.uuid().describe('The turn it stood in. A text made anew has other turns.'),
  name: z.string().describe('Name of the recording.'),
  at: z.number().describe('When its first word was said, in seconds.'),
  speaker: z.string().nullable(),
  speakerNumber: z.int().nullable(),
  text: z.string(),
  marks: z
    .array(z.tuple([z.int(), z.int()]))
    .describe('Places in the text that match the question; none in an answer of a model.'),
  isInDoubt: z.boolean().describe('Whether the recogniser was unsure of most of its words.'),
})
export type Quote = z.infer<typeof Quote>

export const Answer = z.object({
  id: z.uuid(),
  question: z.string(),
  kind: z
    .enum(['answer', 'not-said', 'passages'])
    .describe(
      'answer: sentences of a language model, each with what was said for it. not-said: the model found no answer in what it read; the quotes are what a search found nearest. passages: what a search found.',
    ),
  text: z.string().nullable().describe("The model's sentences, checked; null for passages."),
  notSaid: z.string().nullable().describe('The part of the question that no answer was found for.'),
  quotes: z.array(Quote),
  note: z
    .enum(['no-model', 'no-answer', 'used-up', 'read-all'])
    .nullable()
    .describe(
      'Why there are passages: this server has no language model, it gave no usable answer, or the questions of this day (UTC) are used up. read-all: a model that found no answer has read everything that was said.',
    ),
  createdAt: z.iso.datetime(),
})
export type Answer = z.infer<typeof Answer>

export const Answers = z.object({
  answers: z.array(Answer).describe('Oldest first.'),
  hasModel: z.boolean().describe('Whether a language model answers here.'),
  left: z
    .int()
    .nullable()
    .describe('Questions that a model will still answer today (UTC); null without a model.'),
  perDay: z.int().nullable(),
  offers: z.array(z.string()).describe('Up to three questions to begin with.'),
})
export type Answers = z.infer<typeof Answers>

export const Answered = z.object({ answer: Answer, left: z.int().nullable() })
export type Answered = z.infer<typeof Answered>
