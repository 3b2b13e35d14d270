/**
 * On pages without the app: shows who is signed in. Nobody is asked for unless the server or a kept
 * token says that there may be somebody. A ticket that inline/ticket.ts has kept is redeemed first.
 */
import { initials } from '#shared/format.ts'
import { paths } from '#web/paths.ts'

import { googleFailed, hasFailedTicket, redeemTicket } from '../ticket.ts'
import { noteForNextPage, takeNote } from './note.ts'

const TOKEN = 'auth_token'
const TOAST_MS = 5000

interface Visitor {
  email: string
  firstName?: string
  lastName?: string
  profileImageUrl?: string | null
  credits?: number
}

const root = document.documentElement

/** Null also where storage is forbidden. */
function kept(): string | null {
  try {
    return localStorage.getItem(TOKEN)
  } catch {
    return null
  }
}

function places(name: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-visitor=${name}]`)]
}

function fill(name: string, text: string): void {
  for (const place of places(name)) place.textContent = text
}

function call(method: string, path: string): Promise<Response> {
  const token = kept()
  return fetch(path, { method, headers: token ? { Authorization: `Bearer ${token}` } : {} })
}

async function findOut(): Promise<void> {
  let answer = await call('GET', '/api/user')
  if (answer.status === 401 && kept()) {
    // A token that ended must not stand before a cookie that is still good.
    localStorage.removeItem(TOKEN)
    if ('signedIn' in root.dataset) answer = await call('GET', '/api/user')
  }
  if (!answer.ok) {
    delete root.dataset['signedIn']
    return
  }
  // The landing is for who is not signed in.
  if (location.pathname === paths.start) location.replace(paths.home)
  else show((await answer.json()) as Visitor)
}

function show({
  email,
  firstName = '',
  lastName = '',
  profileImageUrl,
  credits = 0,
}: Visitor): void {
  root.dataset['signedIn'] = ''
  fill('name', `${firstName} ${lastName}`.trim())
  fill('email', email)
  fill('credits', `${credits.toLocaleString('en-US')} credits`)
  fill('initials', initials(firstName, lastName) || initials(email))
  if (profileImageUrl)
    for (const place of places('initials')) {
      const image = new Image()
      image.src = profileImageUrl
      image.alt = ''
      place.replaceChildren(image)
    }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-signed-in-href]'))
    link.href = link.dataset['signedInHref'] ?? link.href
}

async function logOut(button: HTMLButtonElement): Promise<void> {
  button.disabled = true
  button.textContent = 'Logging out…'
  try {
    const answer = await call('POST', '/api/logout')
    if (!answer.ok) throw new Error(((await answer.json()) as { message: string }).message)
    localStorage.removeItem(TOKEN)
    noteForNextPage("Logged Out: You've been successfully logged out.")
    location.reload()
  } catch (error) {
    button.disabled = false
    button.textContent = 'Log out'
    say(`Logout failed: ${error instanceof Error ? error.message : ''}`)
  }
}

function say(words: string): void {
  fill('toast', words)
  setTimeout(() => {
    fill('toast', '')
  }, TOAST_MS)
}

async function begin(): Promise<void> {
  await redeemTicket()
  if (hasFailedTicket()) say(`${googleFailed.title}: ${googleFailed.description}`)
  if ('signedIn' in root.dataset || kept()) await findOut()
}

// Without an answer the header is the one for everybody.
begin().catch(() => {
  delete root.dataset['signedIn']
})
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-visitor=log-out]'))
  button.addEventListener('click', () => void logOut(button))
// An entry that the app made in this document's place: the address changes, and nothing is drawn.
const own = location.pathname
addEventListener('popstate', () => {
  if (location.pathname !== own) location.reload()
})
const note = takeNote()
if (note) say(note)
