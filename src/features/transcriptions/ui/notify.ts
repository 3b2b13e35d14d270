/**
 * Shows a notification of the system when work ends, for a user who asked for it. It comes once,
 * however many tabs show the work, and not while one of them is looked at. The wish is kept in the
 * browser, so that a reload forgets nothing.
 */
import { withResolvers } from '#web/with-resolvers.ts'

const WISHES = 'notify-about'

/** Ids of what somebody wants to be told of. */
function wishes(): string[] {
  try {
    return JSON.parse(localStorage.getItem(WISHES) ?? '[]') as string[]
  } catch {
    return [] // Written by nobody we know, or storage is forbidden.
  }
}

const keep = (ids: readonly string[]) =>
  localStorage.setItem(WISHES, JSON.stringify(ids.slice(-50)))

export const canNotify = (): boolean =>
  'Notification' in window && Notification.permission !== 'denied'

/** Whether its end will be shown. */
export const isAwaited = (id: string): boolean =>
  'Notification' in window && Notification.permission === 'granted' && wishes().includes(id)

/** Asks the browser for permission; it may ask the user. True when each end will be shown. */
export async function notifyAboutAll(ids: readonly string[]): Promise<boolean> {
  const answer =
    Notification.permission === 'granted' ? 'granted' : await Notification.requestPermission()
  if (answer === 'granted') keep([...wishes().filter((wish) => !ids.includes(wish)), ...ids])
  return answer === 'granted'
}

const watching = (id: string) => `watching ${id}`

/**
 * Says to the other tabs of this browser that the work is looked at here, until the answer is called.
 * A tab that is out of sight says nothing.
 */
export function watch(id: string): () => void {
  let end: (() => void) | undefined
  const say = () => {
    end?.()
    end = undefined
    if (document.hidden || !('locks' in navigator)) return
    const { promise, resolve } = withResolvers<void>()
    end = resolve
    void navigator.locks.request(watching(id), { mode: 'shared' }, () => promise)
  }
  say()
  document.addEventListener('visibilitychange', say)
  return () => {
    document.removeEventListener('visibilitychange', say)
    end?.()
  }
}

/** What is said of a job that has ended. */
export const endOf = ({
  id,
  status,
  originalName,
}: {
  id: string
  status: string
  originalName: string
}) => ({
  id,
  title: status === 'error' ? 'Processing Failed' : 'Transcription ready',
  body: originalName,
})

/**
 * Shows the notification, where it is wanted. The first tab that learns of the end takes the wish, so
 * that no other shows it again.
 */
export async function tellEnd(id: string, words: { title: string; body: string }): Promise<void> {
  if (!wishes().includes(id)) return
  // A page that may notify also has locks.
  const isMine = await navigator.locks.request(`telling ${id}`, () => {
    const mine = wishes()
    keep(mine.filter((wish) => wish !== id))
    return mine.includes(id)
  })
  if (!isMine || !document.hidden || (await isWatched(id))) return
  const notification = new Notification(words.title, { body: words.body, tag: id })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
}

async function isWatched(id: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === watching(id))
}
