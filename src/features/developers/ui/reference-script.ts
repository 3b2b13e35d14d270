/** The reference page without the app: one choice of language for all examples, and copying them. */
import { copyToClipboard } from '#web/clipboard.ts'

const LANGUAGE = 'api-language'
const COPIED_MS = 2_000

const tabs = [...document.querySelectorAll<HTMLButtonElement>('[role=tab][data-language]')]

function choose(language: string | undefined): void {
  if (!tabs.some((tab) => tab.dataset['language'] === language)) return
  for (const tab of tabs) {
    const isChosen = tab.dataset['language'] === language
    tab.setAttribute('aria-selected', String(isChosen))
    tab.tabIndex = isChosen ? 0 : -1
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '')
    if (panel) panel.hidden = !isChosen
  }
}

for (const tab of tabs) {
  tab.addEventListener('click', () => {
    // The examples above may grow or shrink. The page scrolls, so that the tab stays under the pointer.
    const before = tab.getBoundingClientRect().top
    choose(tab.dataset['language'])
    scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
    try {
      localStorage.setItem(LANGUAGE, tab.dataset['language'] ?? '')
    } catch {
      return // Storage is forbidden here: then the choice lasts as long as the page.
    }
  })
  tab.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    const group = tabs.filter((each) => each.parentElement === tab.parentElement)
    const next = group[(group.indexOf(tab) + step + group.length) % group.length]
    next?.click()
    next?.focus()
  })
}

try {
  choose(localStorage.getItem(LANGUAGE) ?? undefined)
} catch {
  choose('curl') // Storage is forbidden here.
}

function say(button: HTMLButtonElement, words: string): void {
  button.textContent = words
  setTimeout(() => (button.textContent = 'Copy'), COPIED_MS)
}

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]'))
  button.addEventListener('click', () => {
    const shown = button.parentElement?.parentElement?.querySelector(
      'pre:not([hidden] *, [hidden])',
    )
    copyToClipboard(shown?.textContent ?? '').then(
      () => say(button, 'Copied!'),
      () => say(button, 'Select and copy by hand'),
    )
  })

const index = document.querySelector<HTMLSelectElement>('[data-index]')
index?.addEventListener('change', () => location.assign(index.value))
