/** Says why a mail server takes no mail. */
import { getSystemErrorName } from 'node:util'

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there. Check host and port of SMTP_URL.',
  ENOTFOUND: 'there is no host of that name. Check SMTP_URL.',
  EDNS: 'there is no host of that name. Check SMTP_URL.',
  ETIMEDOUT: 'it does not answer. A firewall may be in between, or the port is another.',
  ECONNECTION: 'it could not be reached. Check host and port of SMTP_URL.',
  ESOCKET: 'the connection broke. smtps:// is for port 465, smtp:// for 587.',
  ETLS: 'it offers no TLS, and nothing is sent readable. smtps:// may be meant; ?tls=off allows it.',
  EAUTH: 'it does not take the user and password of SMTP_URL.',
  EENVELOPE: 'it does not take the sender or the recipient. Check MAIL_FROM.',
}
const LONGEST = 300

/** The fault in plain words, with the mail server's own words, which operators may read. */
export function whyMailFails(error: unknown, { smtpUrl }: { smtpUrl: string | null }): string {
  const { code, errno, response } = error as { code?: string; errno?: unknown; response?: string }
  const host = smtpUrl === null ? 'the outbox' : new URL(smtpUrl).host
  // The mailer has one code for all that sockets fail with.
  const inner = typeof errno === 'number' ? getSystemErrorName(errno) : undefined
  const why = reasons[inner ?? ''] ?? reasons[code ?? ''] ?? 'it could not be sent.'
  const itsWords = response ? ` It said: ${response.replaceAll(/\s+/g, ' ').slice(0, LONGEST)}` : ''
  return `${host}: ${why}${itsWords}`
}
