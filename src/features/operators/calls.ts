import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type {
  Adjust,
  Block,
  CreditRows,
  DoIt,
  Invitation,
  Invite,
  Job,
  JobsQuery,
  LetterPage,
  LettersQuery,
  LogPage,
  MailTried,
  ModelTried,
  Overview,
  ServerFacts,
  SetLimits,
  Unblock,
  UserFacts,
  UserPage,
} from './contract.ts'

export const readOverview = call('GET', '/api/admin').carries<{ answer: Overview }>()

export const readServer = call('GET', '/api/admin/server').carries<{ answer: ServerFacts }>()

export const sendTestMail = call('POST', '/api/admin/test-mail').carries<{ answer: MailTried }>()

export const tryModel = call('POST', '/api/admin/try-model').carries<{ answer: ModelTried }>()

export const listJobs = call('GET', '/api/admin/jobs').carries<{
  query: z.input<typeof JobsQuery>
  answer: Job[]
}>()

export const searchUsers = call('GET', '/api/admin/users').carries<{
  query: { q: string; page: number }
  answer: UserPage
}>()

export const readUser = call('GET', '/api/admin/users/:id').carries<{ answer: UserFacts }>()

export const listCredits = call('GET', '/api/admin/users/:id/credits').carries<{
  query: { before?: number | undefined }
  answer: CreditRows
}>()

export const listLetters = call('GET', '/api/admin/letters').carries<{
  query: z.input<typeof LettersQuery>
  answer: LetterPage
}>()

export const listInvitations = call('GET', '/api/admin/invitations').carries<{
  answer: Invitation[]
}>()

export const readLog = call('GET', '/api/admin/log').carries<{
  query: { before?: number | undefined }
  answer: LogPage
}>()

export const stopJob = call('POST', '/api/admin/jobs/:id/stop').carries<{ body: DoIt }>()

export const runJobAgain = call('POST', '/api/admin/jobs/:id/run-again').carries<{ body: DoIt }>()

export const adjustCredits = call('POST', '/api/admin/users/:id/credits').carries<{
  body: Adjust
}>()

export const blockUser = call('POST', '/api/admin/users/:id/block').carries<{ body: Block }>()

export const unblockUser = call('POST', '/api/admin/users/:id/unblock').carries<{ body: Unblock }>()

export const setLimits = call('PUT', '/api/admin/users/:id/limits').carries<{ body: SetLimits }>()

export const markAnswered = call('POST', '/api/admin/letters/:id/answered').carries<{
  body: DoIt
}>()

export const withdrawInvitation = call('POST', '/api/admin/invitations/:id/withdraw').carries<{
  body: DoIt
}>()

export const invite = call('POST', '/api/admin/invitations').carries<{ body: Invite }>()
