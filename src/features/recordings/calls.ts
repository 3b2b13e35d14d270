import { call } from '#shared/call.ts'

import type {
  BeginUpload,
  Engines,
  LastOptions,
  Peaks,
  Same,
  UploadAnswer,
  UploadInParts,
} from './contract.ts'

export const getEngines = call('GET', '/api/engines').carries<{ answer: Engines }>()

export const getOptions = call('GET', '/api/options').carries<{ answer: LastOptions }>()

export const beginUpload = call('POST', '/api/uploads').carries<{
  body: BeginUpload
  answer: UploadInParts
}>()

export const getUpload = call('GET', '/api/uploads/:id').carries<{ answer: UploadInParts }>()

/** A message while the file is still being measured: then it is asked again. */
export const completeUpload = call('POST', '/api/uploads/:id/complete').carries<{
  answer: UploadAnswer | { message: string }
}>()

export const dropUpload = call('DELETE', '/api/uploads/:id')

interface Saved {
  query: { download?: '1' }
}
export const getMedia = call('GET', '/api/transcriptions/:id/media').carries<Saved>()
/** Whether it would be sent, without its bytes. */
export const checkMedia = call('HEAD', '/api/transcriptions/:id/media').carries<Saved>()

export const getPeaks = call('GET', '/api/transcriptions/:id/peaks').carries<{ answer: Peaks }>()

/** Whether the account has this very file. */
export const findSame = call('GET', '/api/recordings/same').carries<{
  query: { name: string; sizeBytes: number; hash?: string | undefined }
  answer: { sameAs: Same | null }
}>()

/** Served by transcriptions, a later room: what became of an upload. */
export const getStatus = call('GET', '/api/transcriptions/:id').carries<{
  answer: { status: string }
}>()

export const deleteRecording = call('DELETE', '/api/transcriptions/:id/recording')
