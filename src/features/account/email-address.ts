/**
 * Which e-mail addresses the product takes: one plain `name@domain`, nothing else. Mail parsers
 * disagree about quotes, comments, groups and folding, and a disagreement sends a reset mail to a
 * stranger. Old routing characters (`%`, `!`) and the marks of encoded words (`=?`) are refused for
 * the same reason.
 */
const atom = "[A-Za-z0-9_+'&~-]+"
const localPart = new RegExp(`^${atom}(\\.${atom})*$`)
const label = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

export function isEmailAddress(text: string): boolean {
  const at = text.indexOf('@')
  if (at < 1 || at > 64 || text.length > 254) return false
  const labels = text.slice(at + 1).split('.')
  const top = labels.at(-1) ?? ''
  return (
    localPart.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((part) => label.test(part)) &&
    /[A-Za-z]/.test(top)
  )
}

/** One account per address, however it is spelled. */
export function keyOf(address: string): string {
  return address.toLowerCase()
}

/**
 * The mailbox behind an address, as far as it can be told: `jo+x@example.com` and `jo@example.com`
 * are one, and at Gmail so are `jo.doe` and `jodoe`. Elsewhere a dot tells two people apart. Only
 * for what is given once per person; mail goes to the address.
 */
export function mailboxOf(address: string): string {
  const [written = '', domain = ''] = keyOf(address).split('@')
  const name = written.replace(/\+.*$/, '')
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
