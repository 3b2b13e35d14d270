// Runs in the head of the app's shell. In a browser that is too old the app would not begin, or break
// here and there without a word. So the page says it, in code that such a browser can read.
import { oldestBrowsers } from '#shared/browsers.ts'

if (!('popover' in HTMLElement.prototype))
  document.addEventListener('DOMContentLoaded', () => {
    const note = document.createElement('p')
    note.className = 'm-4 rounded-control bg-paper-2 p-4 text-body'
    note.setAttribute('role', 'alert')
    note.textContent = `This browser is too old. Please use ${oldestBrowsers}, or a newer one.`
    document.body.insertBefore(note, document.body.firstChild)
  })
