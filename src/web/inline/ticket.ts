// Runs first on every page. It handles the end of a sign-in elsewhere, `?token=…&auth=success`: it
// removes the value from the address before any other request is made, and loads the page again.
// Only a ticket is kept, and never where the app looks for a token: otherwise anybody could send a
// link with their own token, and the person who opens it would be signed in as the sender.
import { TICKET } from '#shared/ticket.ts'

import { remember } from '../tab-memory.ts'
import { OWN_ISSUER, WAITING } from '../ticket.ts'

const query = new URLSearchParams(location.search)
const value = query.get('auth') === 'success' ? query.get('token') : null
if (value) {
  const issuer = query.get('with') === OWN_ISSUER ? OWN_ISSUER : 'google'
  // Where the browser forbids storage, the cookie alone signs the user in.
  remember(WAITING, `${issuer} ${TICKET.test(value) ? value : ''}`)
  // Stops the page until the reload: it would redeem the ticket, whose answer would then be lost.
  stop()
  // The address is set first: going to an address with another hash alone would load nothing.
  history.replaceState(null, '', location.pathname + location.hash)
  location.reload()
}
