// Runs before anything else on every page: the end of a sign-in elsewhere, `?token=…&auth=success`.
// The value is kept where the app looks for a token, leaves the address before any other request is
// made, and the page loads again. The server takes it once, and only from this browser.
;(() => {
  const query = new URLSearchParams(location.search)
  const ticket = query.get('auth') === 'success' ? query.get('token') : null
  if (!ticket) return
  try {
    localStorage.setItem('auth_token', ticket)
    sessionStorage.setItem('sign-in-ticket', 'unused')
  } catch {
    // Storage is forbidden: the cookie alone signs in.
  }
  // A change of the hash alone would not load the page.
  history.replaceState(null, '', location.pathname + location.hash)
  location.reload()
})()
