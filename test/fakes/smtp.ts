/** A mail server that keeps all mails, and refuses them when a test asks for it. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body as they came over the line. */
  raw: string
}

export interface SmtpFake {
  url: string
  received: ReceivedMail[]
  /** The passwords that clients sent over a connection without TLS. */
  passwords: string[]
  /** How many connections were made. */
  connections: () => number
  /** How many recipients were offered, refused ones included. */
  offered: () => number
  /** The status every recipient is refused with from now on; null takes them again. */
  refuseWith: (status: number | null) => void
  /** From now on every mail is refused with this status, and a quote of it. */
  echoWith: (status: number) => void
  close: () => Promise<void>
}

export async function smtpFake(): Promise<SmtpFake> {
  const received: ReceivedMail[] = []
  const passwords: string[] = []
  let connections = 0
  let offered = 0
  let refusal: number | null = null
  let echo: number | null = null
  const server = new SMTPServer({
    authOptional: true,
    // Closing does not wait for clients that keep their connection for the next mail.
    closeTimeout: 10,
    // As if an attacker on the way had removed the offer of TLS.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onConnect: (_session, done) => {
      connections++
      done()
    },
    onAuth: ({ username, password }, _session, done) => {
      passwords.push(password ?? '')
      done(null, { user: username })
    },
    onRcptTo: (_address, _session, done) => {
      offered++
      if (refusal === null) done()
      else done(Object.assign(new Error('refused'), { responseCode: refusal }))
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (echo !== null) {
          const quote = Buffer.concat(chunks).toString().replace(/\s+/g, ' ')
          return done(Object.assign(new Error(quote), { responseCode: echo }))
        }
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        })
        done()
      })
    },
  })
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    received,
    passwords,
    connections: () => connections,
    offered: () => offered,
    refuseWith: (status) => {
      refusal = status
    },
    echoWith: (status) => {
      echo = status
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
