/** Shows a notification of the system when a job ends, for a user who asked for it. */

const wished = new Set<string>()

export const canNotify = (): boolean =>
  'Notification' in window && Notification.permission !== 'denied'

/** Asks the browser for permission; it may ask the user. True when the end will be shown. */
export async function notifyAbout(id: string): Promise<boolean> {
  const answer =
    Notification.permission === 'granted' ? 'granted' : await Notification.requestPermission()
  if (answer === 'granted') wished.add(id)
  return answer === 'granted'
}

/** Shows the notification once, and only while the page is out of sight. */
export function tellEnd(id: string, words: { title: string; body: string }): void {
  if (!wished.delete(id) || document.visibilityState === 'visible') return
  const notification = new Notification(words.title, { body: words.body, tag: id })
  notification.addEventListener('click', () => {
    window.focus()
    notification.close()
  })
}
