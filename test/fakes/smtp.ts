/** A mail server that keeps what it is given, and refuses when it is told to. */
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
  /** How many recipients were offered, refused ones included. */
  offered: () => number
  /** The status every recipient is refused with from now on; null takes them again. */
  refuseWith: (status: number | null) => void
  close: () => Promise<void>
}

export async function smtpFake(): Promise<SmtpFake> {
  const received: ReceivedMail[] = []
  let offered = 0
  let refusal: number | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => {
      offered++
      if (refusal === null) done()
      else done(Object.assign(new Error('refused'), { responseCode: refusal }))
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
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
    offered: () => offered,
    refuseWith: (status) => {
      refusal = status
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
