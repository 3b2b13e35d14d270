/** A notification of the system when a job ends, for who asked for it with a press. */

const wished = new Set<string>()

export const canNotify = (): boolean =>
  'Notification' in window && Notification.permission !== 'denied'

/** Asks the browser, which may ask the user; true when the end of this job will be shown. */
export async function notifyAbout(id: string): Promise<boolean> {
  const answer =
    Notification.permission === 'granted' ? 'granted' : await Notification.requestPermission()
  if (answer === 'granted') wished.add(id)
  return answer === 'granted'
}

/** Shows it once, and only to who is looking elsewhere. */
export function tellEnd(id: string, words: { title: string; body: string }): void {
  if (!wished.delete(id) || document.visibilityState === 'visible') return
  const notification = new Notification(words.title, { body: words.body, tag: id })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
}
