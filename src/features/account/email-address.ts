/**
 * Which e-mail addresses the product takes: one plain `name@domain`, nothing else. Mail parsers
 * disagree about quotes, comments, groups and folding, and a disagreement sends a reset mail to a
 * stranger. Old routing characters (`%`, `!`) and the marks of encoded words (`=?`) are refused for
 * the same reason.
 */
import { domainToASCII } from 'node:url'

const atom = "[A-Za-z0-9_+'&~-]+"
const localPart = new RegExp(`^${atom}(\\.${atom})*$`)
const label = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/

export function isEmailAddress(text: string): boolean {
  const at = text.indexOf('@')
  if (at < 1 || at > 64 || text.length > 254) return false
  const labels = asciiDomain(text.slice(at + 1)).split('.')
  const top = labels.at(-1) ?? ''
  return (
    localPart.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((part) => label.test(part)) &&
    /[A-Za-z]/.test(top)
  )
}

/**
 * `münchen.de` as mail servers write it. Only letters that mean themselves: of what looks alike, or is
 * mapped to another letter or to a dot, two programs may make two domains.
 */
function asciiDomain(domain: string): string {
  if (!/[^\0-\x7f]/.test(domain)) return domain
  const isItself = domain.toLowerCase().normalize('NFKC') === domain.toLowerCase().normalize('NFC')
  const isPlain = /^[\p{L}\p{M}\p{Nd}.-]+$/u.test(domain) && !domain.split('.').some(isMixed)
  return isItself && isPlain ? domainToASCII(domain) : domain
}

/** Such as a Cyrillic о between Latin letters. Chinese and Japanese names do have Latin letters. */
const isMixed = (part: string): boolean =>
  /\p{Script=Latin}/u.test(part) &&
  /(?![\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])\p{L}/u.test(
    part,
  )

/** One account per address, however it is spelled. */
export function keyOf(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return (address.slice(0, at) + asciiDomain(address.slice(at))).toLowerCase()
}

/**
 * The mailbox behind an address, as far as it can be told: `jo+x@example.com` and `jo@example.com` are
 * one, and at Gmail so are `jo.doe` and `jodoe`. Elsewhere a dot tells two people apart. Only for gifts
 * that each person gets once; mail goes to the address itself.
 */
export function mailboxOf(address: string): string {
  const [written = '', domain = ''] = keyOf(address).split('@')
  const name = written.replace(/\+.*$/, '')
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
