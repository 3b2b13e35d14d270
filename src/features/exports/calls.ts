import type { z } from 'zod'

import { call } from '#shared/call.ts'

import type {
  ArchiveRequest,
  CaptionsChecked,
  CaptionsQuery,
  ExportLook,
  ExportOptions,
  SoundQuery,
} from './contract.ts'

export const exportTranscription = call('GET', '/api/transcriptions/:id/export').carries<{
  query: ExportOptions
}>()

/** The same route, asked for the beginning of the file. */
export const lookAtExport = call('GET', '/api/transcriptions/:id/export').carries<{
  query: ExportOptions & { look: '1' }
  answer: ExportLook
}>()

export const exportRecording = call('GET', '/api/transcriptions/:id/export/sound').carries<{
  query: z.input<typeof SoundQuery>
}>()

export const checkCaptions = call('GET', '/api/transcriptions/:id/captions').carries<{
  query: CaptionsQuery
  answer: CaptionsChecked
}>()

export const exportTranscriptions = call('POST', '/api/exports').carries<{ body: ArchiveRequest }>()
