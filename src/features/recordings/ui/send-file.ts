import type { OrderDocument } from '#features/documents/contract.ts'
import type { SummaryLanguage } from '#shared/business.ts'
import { refused, token } from '#web/api.ts'

import type { UploadAnswer } from '../contract.ts'
import type { Sent } from './sent.ts'

interface Upload {
  file: File
  summaryLanguage: SummaryLanguage
  /** The document that is to be made of it. */
  document: OrderDocument | null
  onProgress: (sent: Sent) => void
  signal: AbortSignal
}

/**
 * Uploads by XMLHttpRequest, because fetch does not tell how much has been sent.
 *
 * @throws ApiError when the server refuses, DOMException `AbortError` when the signal is aborted,
 * Error when the connection breaks.
 */
export async function sendFile(upload: Upload): Promise<UploadAnswer> {
  const bearer = token.read()
  const request = await send(upload, bearer)
  // The server would look at an ended token before a cookie that is still valid.
  if (request.status === 401 && bearer) {
    token.remove()
    return answerOf(await send(upload, null))
  }
  return answerOf(request)
}

function send(
  { file, summaryLanguage, document, onProgress, signal }: Upload,
  bearer: string | null,
): Promise<XMLHttpRequest> {
  const { promise, resolve, reject } = Promise.withResolvers<XMLHttpRequest>()
  const form = new FormData()
  form.append('summaryLanguage', summaryLanguage)
  if (document) {
    form.append('generateDocument', 'true')
    form.append('documentType', document.documentType)
    form.append('includeImages', String(document.includeImages))
  }
  form.append('file', file, file.name)

  const request = new XMLHttpRequest()
  request.open('POST', '/api/upload')
  request.withCredentials = true
  if (bearer) request.setRequestHeader('Authorization', `Bearer ${bearer}`)
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress({ sentBytes: loaded, totalBytes: total }),
  )
  request.addEventListener('load', () => resolve(request))
  request.addEventListener('error', () => reject(new Error('the connection broke')))
  request.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')))
  signal.addEventListener('abort', () => request.abort(), { once: true })
  if (signal.aborted) reject(new DOMException('cancelled', 'AbortError'))
  else request.send(form)
  return promise
}

function answerOf(request: XMLHttpRequest): UploadAnswer {
  if (request.status < 200 || request.status > 299)
    throw refused(request.status, request.statusText, request.responseText)
  return JSON.parse(request.responseText) as UploadAnswer
}
