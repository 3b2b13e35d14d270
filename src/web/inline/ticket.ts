// Runs before anything else on every page: the end of a sign-in at Google, `?token=…&auth=success`.
// The value leaves the address before any other request is made, and the page loads again. Only a
// ticket is kept, and never where the app looks for a token: anybody can write a link with a token
// of their own in it, and whoever opened it would be signed in as them.
import { TICKET } from '#shared/ticket.ts'

import { WAITING } from '../ticket.ts'

const query = new URLSearchParams(location.search)
const value = query.get('auth') === 'success' ? query.get('token') : null
if (value) {
  try {
    sessionStorage.setItem(WAITING, TICKET.test(value) ? value : '')
  } catch {
    // Storage is forbidden: the cookie alone signs in.
  }
  // Nothing below runs before the reload: it would spend the ticket in a page that is going away.
  stop()
  // A change of the hash alone would not load the page.
  history.replaceState(null, '', location.pathname + location.hash)
  location.reload()
}
