import { call } from '#shared/call.ts'

import type { Answered, Answers, Question } from './contract.ts'

export const askTranscription = call('POST', '/api/transcriptions/:id/questions').carries<{
  body: Question
  answer: Answered
}>()

export const listQuestionsOfTranscription = call(
  'GET',
  '/api/transcriptions/:id/questions',
).carries<{ answer: Answers }>()

export const askLibrary = call('POST', '/api/questions').carries<{
  body: Question
  answer: Answered
}>()

export const listQuestions = call('GET', '/api/questions').carries<{ answer: Answers }>()

export const deleteQuestion = call('DELETE', '/api/questions/:id')
