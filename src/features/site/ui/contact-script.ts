/**
 * The contact form without the app: fills in the visitor's name and address, keeps a draft across a
 * reload, writes beside each field what it lacks, sends, and shows the sent message.
 */
import { contactTypes, missingInformation } from '#shared/contact-types.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { recall, remember } from '#web/tab-memory.ts'

import { sendMessage } from '../calls.ts'

const DRAFT = 'contact-draft'
const TOAST_MS = 5000
const required = ['name', 'email', 'type', 'message']

const root = document.querySelector<HTMLElement>('[data-contact]')
const form = root?.querySelector('form')

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

function control(name: string): Control | null {
  const found = form?.elements.namedItem(name)
  return found instanceof HTMLInputElement ||
    found instanceof HTMLSelectElement ||
    found instanceof HTMLTextAreaElement
    ? found
    : null
}

const value = (name: string) => control(name)?.value.trim() ?? ''

function write(selector: string, text: string): void {
  const place = root?.querySelector(selector)
  if (place) place.textContent = text
}

/** One at a time, as everywhere. */
let toastTimer = 0
function toast(words: string): void {
  write('[data-toast]', words)
  clearTimeout(toastTimer)
  toastTimer = window.setTimeout(() => write('[data-toast]', ''), TOAST_MS)
}

function say(field: Control, words: string): void {
  const id = field.getAttribute('aria-describedby') ?? ''
  const place = document.getElementById(id)?.querySelector('[data-error]')
  if (place) place.textContent = words
  if (words) field.setAttribute('aria-invalid', 'true')
  else field.removeAttribute('aria-invalid')
}

function problemOf(name: string): string {
  if (required.includes(name) && value(name) === '') return 'This field is required'
  const looksWrong = name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value(name))
  return looksWrong ? 'Please enter a valid email address' : ''
}

/** Writes the fault of each field beside it, and answers the first faulty field. */
function check(): Control | null {
  const wrong = required.flatMap((name) => {
    const field = control(name)
    if (!field) return []
    const problem = problemOf(name)
    say(field, problem)
    return problem ? field : []
  })
  return wrong[0] ?? null
}

const draft = () => ({
  name: value('name'),
  email: value('email'),
  type: value('type'),
  message: value('message'),
  subject: value('subject'),
  reference: value('reference'),
})

/** The address fills a field first, then an earlier draft. */
function fill(): void {
  const query = new URLSearchParams(location.search)
  const kept = JSON.parse(recall(DRAFT) ?? '{}') as Record<string, string>
  for (const name of Object.keys(draft())) {
    const field = control(name)
    const asked = ['type', 'subject', 'reference'].includes(name) ? query.get(name) : null
    const text = asked ?? kept[name]
    if (!field || !text) continue
    if (name === 'type' && !Object.hasOwn(contactTypes, text)) continue
    field.value = text.slice(0, name === 'message' ? 10_000 : 200)
  }
  const reference = value('reference')
  root?.querySelector('[data-about]')?.toggleAttribute('hidden', reference === '')
  write('[data-about] span', reference)
}

/** inline/visitor.ts writes into the page who is signed in, when it has found out. */
function fillVisitor(): void {
  for (const name of ['name', 'email']) {
    const field = control(name)
    const known = document.querySelector(`[data-visitor=${name}]`)?.textContent?.trim()
    if (field && known && field.value === '') field.value = known
  }
}

async function send(button: HTMLButtonElement): Promise<void> {
  if (button.getAttribute('aria-busy')) return
  write('[data-failure]', '')
  const first = check()
  if (first) {
    first.focus()
    toast(`Missing Information: ${missingInformation}`)
    return
  }
  // The form offers no other types, and the server checks.
  const type = value('type') as keyof typeof contactTypes
  button.setAttribute('aria-busy', 'true')
  try {
    const { message } = await ask(sendMessage, { body: { ...draft(), type } })
    sent(message)
  } catch (error) {
    const words = sentenceOf(
      error,
      'We could not reach the server. Your text is still here. Please try again.',
    )
    write('[data-failure]', words)
    toast(`Failed to Send: ${words}`)
  } finally {
    button.removeAttribute('aria-busy')
  }
}

function sent(words: string): void {
  for (const [name, text] of Object.entries(draft())) write(`[data-echo=${name}]`, text)
  const type = value('type')
  if (Object.hasOwn(contactTypes, type))
    write('[data-echo=type]', contactTypes[type as keyof typeof contactTypes])
  remember(DRAFT, null)
  show('sent')
  toast(words)
}

function show(what: 'form' | 'sent'): void {
  form?.toggleAttribute('hidden', what === 'sent')
  const summary = root?.querySelector<HTMLElement>('[data-sent]')
  summary?.toggleAttribute('hidden', what === 'form')
  if (what === 'sent') summary?.focus()
  else control('message')?.focus()
}

if (root && form) {
  fill()
  fillVisitor()
  const places = document.querySelectorAll('[data-visitor=name], [data-visitor=email]')
  const watch = new MutationObserver(fillVisitor)
  for (const place of places) watch.observe(place, { childList: true, characterData: true })

  let wasTried = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    wasTried = true
    const button = form.querySelector<HTMLButtonElement>('button[type=submit]')
    if (button) void send(button)
  })
  form.addEventListener('input', () => {
    remember(DRAFT, JSON.stringify(draft()))
    if (wasTried) check()
  })
  root.querySelector('[data-another]')?.addEventListener('click', () => {
    const message = control('message')
    const subject = control('subject')
    if (message) message.value = ''
    if (subject) subject.value = ''
    show('form')
  })
}
