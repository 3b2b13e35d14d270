import type { z } from 'zod'

import type { TranscriptionRow } from '#features/transcriptions/contract.ts'
import { call } from '#shared/call.ts'

import type {
  Ids,
  IdsQuery,
  KnownSpeakers,
  ListQuery,
  NameTag,
  SpeakersQuery,
  TagMany,
  Tags,
} from './contract.ts'

export const listTranscriptions = call('GET', '/api/transcriptions').carries<{
  query: Partial<ListQuery>
  answer: TranscriptionRow[]
}>()

export const listIds = call('GET', '/api/transcriptions/ids').carries<{
  query: Partial<IdsQuery>
  answer: Ids
}>()

export const tagTranscriptions = call('POST', '/api/transcriptions/tags').carries<{
  body: z.input<typeof TagMany>
  answer: Tags
}>()

export const listTags = call('GET', '/api/tags').carries<{ answer: Tags }>()

export const createTag = call('POST', '/api/tags').carries<{
  body: z.input<typeof NameTag>
  answer: Tags
}>()

export const renameTag = call('PATCH', '/api/tags/:id').carries<{
  body: z.input<typeof NameTag>
  answer: Tags
}>()

export const deleteTag = call('DELETE', '/api/tags/:id').carries<{ answer: Tags }>()

export const listSpeakers = call('GET', '/api/speakers').carries<{
  query: z.input<typeof SpeakersQuery>
  answer: KnownSpeakers
}>()
