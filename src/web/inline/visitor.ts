/**
 * Shows who is signed in, on pages without the app. It asks the server only when the page or a kept
 * token says that somebody may be. A ticket that inline/ticket.ts has kept is redeemed first.
 */
import { type Visitor, getUser, logOut } from '#shared/visitor.ts'
import { initials } from '#shared/format.ts'
import { ask, request, sentenceOf, token } from '#web/api.ts'
import { homePath, startPath } from '#web/paths.ts'

import { forgetVisit } from '../forget-account.ts'
import { nameOfIssuer, redeemTicket, signInFailed, takeFailedTicket } from '../ticket.ts'
import { noteForNextPage, takeNote } from './note.ts'

const TOAST_MS = 5000

const root = document.documentElement

function places(name: string): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(`[data-visitor=${name}]`)]
}

function fill(name: string, text: string): void {
  for (const place of places(name)) place.textContent = text
}

async function findOut(): Promise<void> {
  const visitor = await ask(getUser)
  // A signed-in visitor of the landing is led to the app's home.
  if (location.pathname === startPath) location.replace(homePath)
  else show(visitor)
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

async function logOutBy(button: HTMLButtonElement): Promise<void> {
  button.disabled = true
  button.textContent = 'Logging out…'
  try {
    await request(logOut)
    token.remove()
    forgetVisit()
    noteForNextPage("Logged Out: You've been successfully logged out.")
    location.reload()
  } catch (error) {
    button.disabled = false
    button.textContent = 'Log out'
    say(`Logout failed: ${sentenceOf(error)}`)
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
  const issuer = takeFailedTicket()
  if (issuer !== null) {
    const { title, description } = signInFailed(await nameOfIssuer(issuer))
    say(`${title}: ${description}`)
  }
  if ('signedIn' in root.dataset || token.read()) await findOut()
}

// Without an answer, or where nobody is signed in, the page shows the header for strangers.
begin().catch(() => {
  delete root.dataset['signedIn']
})
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-visitor=log-out]'))
  button.addEventListener('click', () => void logOutBy(button))
// Back to a history entry that the app made changes the address but loads nothing, so this page
// loads that entry's page.
const own = location.pathname
addEventListener('popstate', () => {
  if (location.pathname !== own) location.reload()
})
const note = takeNote()
if (note) say(note)
