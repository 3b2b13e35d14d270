/**
 * Makes a document in the user's own Google Docs. The user gives the permission in a popup, which
 * sends this page a token. The token is used once and not kept. Of the messages that arrive, only
 * one of our own origin, from this popup and about this trip is accepted.
 */
import { ApiError, ask, sentenceOf } from '#web/api.ts'
import { withResolvers } from '#web/with-resolvers.ts'

import * as calls from '../calls.ts'
import type { CreateGoogleDoc, GoogleDocCreated } from '../contract.ts'

const SOURCE = 'quoth-google-docs'
const WIDTH = 500
const HEIGHT = 600
const CHECK_MS = 1_000
/** A message that was sent just before the popup closed may still be on its way. */
const LAST_WORDS_MS = 400

/**
 * Must be called while a press is handled, or the browser blocks the popup. @throws Error to show
 */
export async function createGoogleDoc(
  document: Omit<CreateGoogleDoc, 'token'>,
): Promise<GoogleDocCreated> {
  const popup = window.open('', SOURCE, featuresOf(window))
  if (!popup)
    throw new Error('The browser blocked the popup. Allow popups for this page, then try again.')
  const token = await permission(popup)
  return ask(calls.createGoogleDoc, { body: { ...document, token } })
}

async function permission(popup: Window): Promise<string> {
  try {
    const { authUrl } = await ask(calls.getGoogleAuthUrl)
    const state = new URL(authUrl).searchParams.get('state')
    if (!state) throw new Error('an address without a state leads nowhere')
    popup.location.href = authUrl
    return await told(popup, state)
  } catch (error) {
    popup.close()
    if (error instanceof Answered) throw error
    const isOff = error instanceof ApiError && error.code === 'google_docs_off'
    throw new Error(isOff ? sentenceOf(error, '') : 'Failed to get Google auth URL', {
      cause: error,
    })
  }
}

/** Ends the wait for the popup: it has sent its message, or was closed. */
class Answered extends Error {}

function told(popup: Window, state: string): Promise<string> {
  const { promise, resolve, reject } = withResolvers<string>()
  const listen = ({ origin, source, data }: MessageEvent<unknown>) => {
    if (origin !== window.location.origin || source !== popup) return
    const message = messageIn(data)
    if (message?.state !== state) return
    if (message.token === null) reject(new Answered(message.words))
    else resolve(message.token)
  }
  window.addEventListener('message', listen)
  const timer = setInterval(() => {
    if (!popup.closed) return
    clearInterval(timer)
    setTimeout(() => reject(new Answered('OAuth popup was closed')), LAST_WORDS_MS)
  }, CHECK_MS)
  return promise.finally(() => {
    clearInterval(timer)
    window.removeEventListener('message', listen)
  })
}

type Told = { state: string; token: string } | { state: string; token: null; words: string }

/** A message of our own callback page; null for everything else that is posted to a window. */
export function messageIn(data: unknown): Told | null {
  if (typeof data !== 'object' || data === null) return null
  const field = (name: string): unknown => Reflect.get(data, name)
  const [source, type, state] = [field('source'), field('type'), field('state')]
  if (source !== SOURCE || typeof state !== 'string') return null
  const token = field('token')
  if (type === 'success' && typeof token === 'string' && token !== '') return { state, token }
  const words = field('message')
  if (type === 'error' && typeof words === 'string') return { state, token: null, words }
  return null
}

/** Places the popup in the middle of the window that opens it. */
function featuresOf({ screenX, screenY, outerWidth, outerHeight }: Window): string {
  const left = Math.max(0, Math.round(screenX + (outerWidth - WIDTH) / 2))
  const top = Math.max(0, Math.round(screenY + (outerHeight - HEIGHT) / 2))
  return `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`
}
