// Runs in the head of the app's shell. Where the app's own script or style does not come, nothing of
// the app is there to say so: a release from before files were kept for others is being replaced, or
// the line broke. The page is loaded again, once, and then says it.
import { loadAgain } from '../load-again.ts'
import { sayAbove } from './say-above.ts'

const isNeeded = (missed: EventTarget | null) =>
  missed instanceof HTMLScriptElement ||
  (missed instanceof HTMLLinkElement && missed.rel === 'stylesheet')

const hear = ({ target }: Event) => {
  if (!isNeeded(target)) return
  removeEventListener('error', hear, true)
  try {
    void loadAgain(target)
  } catch {
    sayAbove('A part of this page did not come. Please load it again in a minute.')
  }
}
// Such an event does not rise to the window, so it is caught on its way down.
addEventListener('error', hear, true)
