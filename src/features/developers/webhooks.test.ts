import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'

import { remindOfLowBalances, setAlert } from '#features/billing/alerts.ts'
import { Refusal } from '#shared/refusals.ts'
import { type TestApi, aDeveloper, aRecording } from '#test/api.ts'
import { test as base } from '#test/served-api.ts'
import { aTranscription, aUser, anyProof } from '#test/factories.ts'

import { isPublic, targetOf } from './addresses.ts'
import * as keys from './keys.ts'
import { webhookDeliveries, webhookEndpoints } from './tables.ts'
import { post } from './webhook-sender.ts'
import * as webhooks from './webhooks.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

/** Somebody else's server: writes down what comes, and answers as the test says. */
interface Receiver {
  url: string
  received: Received[]
  answer: { status: number; headers?: Record<string, string> }
}

const test = base.extend<{ receiver: Receiver }>({
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern that it needs nothing
  receiver: async ({}, provide) => {
    const it: Receiver = { url: '', received: [], answer: { status: 204 } }
    const server = createServer(async (request, response) => {
      it.received.push({ headers: request.headers, body: await text(request) })
      response.writeHead(it.answer.status, it.answer.headers).end('an answer that nobody reads')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    it.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    await provide(it)
    server.closeAllConnections()
    server.close()
  },
})

const depsOf = ({ parts }: TestApi, now = new Date()): webhooks.Deps => ({
  db: parts.database.db,
  queue: parts.queue,
  clock: () => now,
  webhookAllow: ['127.0.0.1'],
})

const verified = ({ headers, body }: Received, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as {
    type: string
    data: Record<string, unknown>
  }

test('the life of a transcription arrives, and the published library verifies it', async ({
  api,
  receiver,
}) => {
  const { user, key } = await aDeveloper(api)
  const headers = { Authorization: `Bearer ${key}` }
  const { secret } = await webhooks.make(depsOf(api), {
    userId: user.id,
    proof: anyProof,
    url: receiver.url,
  })
  const form = new FormData()
  form.set('file', new Blob([await aRecording()]), 'secret-name.wav')
  const begun = await fetch(`${api.url}/api/transcriptions`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { id } = (await begun.json()) as { id: string }
  await expect.poll(() => receiver.received.length, { timeout: 60_000 }).toBe(2)
  await fetch(`${api.url}/api/transcriptions/${id}`, { method: 'DELETE', headers })
  await expect.poll(() => receiver.received.length).toBe(3)

  const messages = receiver.received.map((each) => verified(each, secret))
  expect(messages.map(({ type }) => type)).toEqual([
    'transcription.created',
    'transcription.completed',
    'transcription.deleted',
  ])
  for (const { data } of messages) expect(data['id']).toBe(id)
  for (const { headers: sent, body } of receiver.received) {
    expect(sent['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/)
    expect(sent['content-type']).toBe('application/json')
    expect(body).not.toMatch(/secret-name|budget/)
  }
  const forged = { ...receiver.received[0]!, body: receiver.received[0]!.body.replace(id, 'other') }
  expect(() => verified(forged, secret)).toThrow()
  const { id: endpointId } = (await webhooks.list(depsOf(api), user.id))[0]!
  const asked = { userId: user.id, id: endpointId, status: 'delivered' } as const
  // Each is noted after its answer has come.
  const noted = async () =>
    (await webhooks.deliveries(depsOf(api), asked)).map(({ tries, lastStatus }) => [
      tries,
      lastStatus,
    ])
  await expect.poll(noted).toEqual([
    [1, 204],
    [1, 204],
    [1, 204],
  ])
}, 120_000)

/** An endpoint with one message that waits, worked on by the test and not by a worker. */
async function aWaiting(api: TestApi, url: string) {
  const deps = depsOf(api)
  const user = await aUser(deps.db)
  const { id, secret } = await webhooks.make(deps, { userId: user.id, proof: anyProof, url })
  const happened = {
    userId: user.id,
    type: 'credits.low',
    data: { below: 5, available: 2 },
  } as const
  // Nobody takes the jobs of this queue: the test does them, at times of its own.
  const queue = { ...deps.queue, add: async () => 'kept' }
  await deps.db.transaction((tx) => webhooks.announceTo({ ...deps, queue })(tx, happened))
  const row = async () => {
    const [found] = await deps.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.endpointId, id))
    return found!
  }
  const sendAt = async (now: Date) => {
    const { id: deliveryId, round, step } = await row()
    await webhooks.send({ ...deps, queue, clock: () => now }, { deliveryId, round, step })
    return row()
  }
  return { deps, user, id, secret, row, sendAt, owned: { userId: user.id, id } }
}

test('a message is tried ten times over three days under one id, then its endpoint is paused', async ({
  api,
  receiver,
}) => {
  receiver.answer = { status: 500 }
  const { deps, id, row, sendAt, secret } = await aWaiting(api, receiver.url)
  let now = new Date()
  const waits: number[] = []
  for (let tries = 1; tries <= 10; tries++) {
    const { status, nextTryAt, ...rest } = await sendAt(now)
    expect([rest.tries, rest.lastStatus]).toEqual([tries, 500])
    expect(status).toBe(tries < 10 ? 'waiting' : 'failed')
    if (!nextTryAt) break
    waits.push((nextTryAt.getTime() - now.getTime()) / 1000)
    now = nextTryAt
  }
  expect(waits).toHaveLength(9)
  for (const [index, wait] of waits.entries()) {
    const planned = webhooks.schedule[index + 1]!
    expect(wait / planned).toBeGreaterThan(0.89)
    expect(wait / planned).toBeLessThan(1.11)
  }
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  const stamps = receiver.received.map(({ headers }) => headers['webhook-timestamp'])
  expect(new Set(stamps).size).toBe(10)
  expect(verified(receiver.received[0]!, secret).type).toBe('credits.low')
  const [endpoint] = await deps.db
    .select()
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, id))
  expect(endpoint!.paused).toBe('dead')
  expect((await row()).lastProblem).toBe('It answered 500.')
})

test('an answer of 410 pauses the webhook at once; a redirect is a failure and is not followed', async ({
  api,
  receiver,
}) => {
  receiver.answer = { status: 302, headers: { location: receiver.url } }
  const first = await aWaiting(api, receiver.url)
  expect(await first.sendAt(new Date())).toMatchObject({ status: 'waiting', lastStatus: 302 })
  expect(receiver.received).toHaveLength(1)
  receiver.answer = { status: 410 }
  expect(await first.sendAt(new Date())).toMatchObject({ status: 'failed', lastStatus: 410 })
  expect(await webhooks.list(first.deps, first.user.id)).toMatchObject([{ paused: 'gone' }])
})

test('the next try waits as long as Retry-After says, and a repeated job is not a second try', async ({
  api,
  receiver,
}) => {
  receiver.answer = { status: 503, headers: { 'retry-after': '600' } }
  const { row, deps, sendAt } = await aWaiting(api, receiver.url)
  const now = new Date()
  const { id: deliveryId, round, step } = await row()
  expect((await sendAt(now)).nextTryAt!.getTime() - now.getTime()).toBeGreaterThanOrEqual(600_000)
  await webhooks.send(deps, { deliveryId, round, step })
  expect(receiver.received).toHaveLength(1)

  // For a day at most, whatever it says.
  receiver.answer = { status: 503, headers: { 'retry-after': '99999999' } }
  const next = (await sendAt(now)).nextTryAt!.getTime() - now.getTime()
  expect(next).toBe(24 * 60 * 60 * 1000)
})

test('an old secret signs along for a day', async ({ api, receiver }) => {
  const { deps, owned, secret: old, sendAt, row } = await aWaiting(api, receiver.url)
  const { secret } = await webhooks.changeSecret(deps, { ...owned, proof: anyProof })
  await sendAt(new Date())
  expect(verified(receiver.received[0]!, old)).toEqual(verified(receiver.received[0]!, secret))

  const later = new Date(Date.now() + 25 * 60 * 60 * 1000)
  const again = { ...deps.queue, add: async () => 'kept' }
  const { id: deliveryId } = await row()
  await webhooks.resend({ ...deps, queue: again }, { ...owned, deliveryId })
  await sendAt(later)
  const signatures = String(receiver.received[1]!.headers['webhook-signature'])
  expect(signatures.split(' ')).toHaveLength(1)
})

test('messages that failed before a pause are sent again, one or all of a time', async ({
  api,
  receiver,
}) => {
  const { user, key } = await aDeveloper(api)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const call = async (method: string, path: string, body: object = {}) => {
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${api.url}/api/webhooks${path}`, { method, headers, ...sent })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const made = await call('POST', '', { url: receiver.url, types: ['credits.low'] })
  expect(made.status).toBe(201)
  const id = String(made.body['id'])
  await call('PATCH', `/${id}`, { isPaused: true })
  const { db } = api.parts.database
  const tell = webhooks.announceTo(depsOf(api))
  for (const below of [1, 2, 3])
    await db.transaction((tx) =>
      tell(tx, { userId: user.id, type: 'credits.low', data: { below, available: 0 } }),
    )
  await db.transaction((tx) =>
    tell(tx, { userId: user.id, type: 'document.failed', data: { id: 'nobody asked for these' } }),
  )
  const owned = { userId: user.id, id }
  const failed = await webhooks.deliveries(depsOf(api), { ...owned, status: 'failed' })
  expect(failed).toHaveLength(3)
  expect(receiver.received).toEqual([])
  const one = `/${id}/deliveries/${failed[0]!.id}/resend`
  expect((await call('POST', one)).body).toMatchObject({ code: 'webhook_is_paused' })

  await call('PATCH', `/${id}`, { isPaused: false })
  expect((await call('POST', one)).status).toBe(202)
  await expect.poll(() => receiver.received.length).toBe(1)
  const range = { from: new Date(Date.now() - 60_000).toISOString(), to: new Date().toISOString() }
  expect((await call('POST', `/${id}/resend`, range)).body).toEqual({ count: 2 })
  await expect.poll(() => receiver.received.length).toBe(3)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(3)

  expect((await call('POST', `/${id}/test`)).body).toMatchObject({ type: 'webhook.test' })
  await expect.poll(() => receiver.received.length).toBe(4)
  expect(verified(receiver.received[3]!, String(made.body['secret'])).type).toBe('webhook.test')
})

const internal = [
  'http://127.0.0.1/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://0/',
  'https://10.1.2.3/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fe80::1]/',
  'https://[fc00::1]/',
  'https://[ff02::1]/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  // Where clouds tell a machine about itself: Azure, Alibaba, Oracle, AWS and Google by IPv6.
  'http://168.63.129.16:32526/',
  'https://168.63.129.16/',
  'https://[::ffff:168.63.129.16]/',
  'https://100.100.100.200/',
  'https://192.0.0.192/',
  'https://[fd00:ec2::254]/',
  'https://[fd20:ce::254]/',
]

test.for(internal)('no webhook is saved for %s', async (url, { db, api }) => {
  const { id: userId } = await aUser(db)
  const refused = webhooks.make(
    { ...depsOf(api), webhookAllow: [] },
    { userId, proof: anyProof, url },
  )
  await expect(refused).rejects.toBeInstanceOf(Refusal)
})

test.for([
  'ftp://example.com/',
  'https://user:word@example.com/',
  'example.com',
  'http://example.com/',
])('%s is no address for a webhook', async (url) => {
  const find = async () => [{ address: '93.184.215.14' }]
  await expect(targetOf(url, { allow: [], find })).rejects.toMatchObject({
    code: 'bad_webhook_address',
  })
})

test('webhooks are sent to web servers, and to addresses that the operator names', async () => {
  const to = async (port: number, allow: string[] = []) => {
    const find = async () => [{ address: '93.184.215.14' }]
    return targetOf(`https://hooks.example:${port}/`, { allow, find }).then(
      () => 'sent',
      ({ code }: Refusal) => code,
    )
  }
  for (const port of [80, 443, 1024, 3000, 8080, 8443, 65535]) expect(await to(port)).toBe('sent')
  for (const port of [1, 21, 22, 25, 53, 81, 465, 587, 993, 1023, 2049, 5060, 6000, 6667, 10080])
    expect(await to(port)).toBe('closed_webhook_port')
  expect(await to(25, ['hooks.example:25'])).toBe('sent')
  expect(await to(22, ['hooks.example:25', 'hooks.example'])).toBe('closed_webhook_port')
  const allow = ['10.0.0.5:81']
  expect((await targetOf('http://10.0.0.5:81/', { allow })).address).toBe('10.0.0.5')
  await expect(targetOf('http://10.0.0.5:8080/', { allow })).rejects.toMatchObject({
    code: 'internal_webhook_address',
  })
})

test('a name with one internal address among public ones is refused', async () => {
  const find = async () => [{ address: '93.184.215.14' }, { address: '10.0.0.1' }]
  await expect(targetOf('https://both.example/', { allow: [], find })).rejects.toMatchObject({
    code: 'internal_webhook_address',
  })
  expect(isPublic('93.184.215.14')).toBe(true)
  expect(isPublic('2606:4700::1111')).toBe(true)
})

test('a webhook is not moved to an internal address', async ({ api }) => {
  const find = async () => [{ address: '93.184.215.14' }]
  const deps = { ...depsOf(api), webhookAllow: [], find }
  const { id: userId } = await aUser(deps.db)
  const asker = { userId, proof: anyProof }
  const { id, url } = await webhooks.make(deps, { ...asker, url: 'https://hooks.example/' })
  await expect(
    webhooks.change(deps, { ...asker, id, url: 'https://10.0.0.1/' }),
  ).rejects.toMatchObject({ code: 'internal_webhook_address' })
  expect(await webhooks.list(deps, userId)).toMatchObject([{ id, url }])
})

test('a name that moved to an internal address after it was saved is not followed', async ({
  api,
  receiver,
}) => {
  const addresses = ['93.184.215.14', '127.0.0.1']
  const find = async () => [{ address: addresses.shift() ?? '127.0.0.1' }]
  const { port } = new URL(receiver.url)
  const deps = { ...depsOf(api), webhookAllow: [], find }
  const { id: userId } = await aUser(deps.db)
  const { id } = await webhooks.make(deps, {
    userId,
    proof: anyProof,
    url: `https://moved.example:${port}/`,
  })
  const queue = { ...deps.queue, add: async () => 'kept' }
  const { id: deliveryId } = await webhooks.test({ ...deps, queue }, { userId, id })
  await webhooks.send({ ...deps, queue }, { deliveryId, round: 1, step: 0 })
  expect(receiver.received).toEqual([])
  const [delivery] = await webhooks.deliveries(deps, { userId, id, status: 'all' })
  expect(delivery).toMatchObject({ status: 'failed', lastStatus: null })
  expect(delivery!.lastProblem).toContain('not reachable from the internet')
})

test('the connection goes to the address that was checked, not to where the name leads now', async ({
  receiver,
}) => {
  const url = new URL(receiver.url)
  url.hostname = 'name.that.is.nowhere.example'
  const message = { messageId: 'msg_1', body: '{}', secrets: ['whsec_AAAA'], now: new Date() }
  const sent = await post({ url, address: '127.0.0.1', family: 4 }, message)
  expect(sent.status).toBe(204)
  expect(receiver.received[0]!.headers.host).toBe(url.host)
})

test('a server that never answers is given up', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`)
  const message = { messageId: 'msg_1', body: '{}', secrets: ['whsec_AAAA'], now: new Date() }
  const sent = await post({ url, address: '127.0.0.1', family: 4 }, message, { timeoutMs: 200 })
  expect(sent).toMatchObject({ status: null, problem: 'It did not answer within 0.2 seconds.' })
  silent.closeAllConnections()
  silent.close()
})

test('a message is sent again by its own webhook alone', async ({ api, receiver }) => {
  const deps = { ...depsOf(api), queue: { ...depsOf(api).queue, add: async () => 'kept' } }
  const aWebhook = async () => {
    const { id: userId } = await aUser(deps.db)
    const { id } = await webhooks.make(deps, { userId, proof: anyProof, url: receiver.url })
    return { userId, id }
  }
  const [own, other] = [await aWebhook(), await aWebhook()]
  const { id: deliveryId } = await webhooks.test(deps, other)
  await expect(webhooks.resend(deps, { ...own, deliveryId })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('an answer without an end is not read on', async () => {
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<string>()
  const endless = createServer((_request, response) => {
    let sentBytes = 0
    const block = Buffer.alloc(65_536)
    response.writeHead(200)
    response.on('close', () => letGo('let go'))
    const write = () => {
      // More than the buffers of a connection take: only a reader gets so far.
      if ((sentBytes += block.length) > 64 * 1_048_576) return letGo('read on')
      return response.write(block, write)
    }
    write()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const url = new URL(`http://127.0.0.1:${(endless.address() as AddressInfo).port}/`)
  const message = { messageId: 'msg_1', body: '{}', secrets: ['whsec_AAAA'], now: new Date() }
  const sent = await post({ url, address: '127.0.0.1', family: 4 }, message)
  expect(sent).toMatchObject({ status: 200, problem: null })
  expect(await isLetGo).toBe('let go')
  endless.closeAllConnections()
  endless.close()
})

test('a server that changes to another protocol has not taken the message', async () => {
  const changing = createServer().listen(0, '127.0.0.1')
  changing.on('connection', (socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'),
    )
  })
  await once(changing, 'listening')
  const url = new URL(`http://127.0.0.1:${(changing.address() as AddressInfo).port}/`)
  const message = { messageId: 'msg_1', body: '{}', secrets: ['whsec_AAAA'], now: new Date() }
  const sent = await post({ url, address: '127.0.0.1', family: 4 }, message)
  expect(sent).toMatchObject({ status: 101, problem: 'It answered 101.' })
  changing.closeAllConnections()
  changing.close()
})

test('an endpoint that takes other messages is not paused for one that it refuses', async ({
  api,
  receiver,
}) => {
  receiver.answer = { status: 500 }
  const { deps, user, id, row } = await aWaiting(api, receiver.url)
  const { id: deliveryId, createdAt } = await row()
  const secondsLater = (seconds: number) => new Date(createdAt.getTime() + seconds * 1000)
  const messageId = `msg_taken_${deliveryId}`
  const giveUpAfterAnotherWasTakenAt = async (lastTriedAt: Date) => {
    const taken = { messageId, type: 'credits.low', body: '{}', status: 'delivered' } as const
    await deps.db.delete(webhookDeliveries).where(eq(webhookDeliveries.messageId, messageId))
    await deps.db.insert(webhookDeliveries).values({ ...taken, endpointId: id, lastTriedAt })
    const step = webhooks.schedule.length - 1
    await deps.db
      .update(webhookDeliveries)
      .set({ status: 'waiting', step })
      .where(eq(webhookDeliveries.id, deliveryId))
    await webhooks.send(deps, { deliveryId, round: 1, step })
    return (await webhooks.list(deps, user.id))[0]!.paused
  }
  expect(await giveUpAfterAnotherWasTakenAt(secondsLater(60))).toBeNull()
  expect(await giveUpAfterAnotherWasTakenAt(secondsLater(-60))).toBe('dead')
})

test('an endpoint gets ten test messages an hour, also of many at once', async ({
  api,
  receiver,
}) => {
  const { deps, owned } = await aWaiting(api, receiver.url)
  const queue = { ...deps.queue, add: async () => 'kept' }
  const now = new Date()
  const ask = (at: Date) => webhooks.test({ ...deps, queue, clock: () => at }, owned)
  const asked = await Promise.allSettled(Array.from({ length: 12 }, () => ask(now)))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  await expect(ask(new Date(now.getTime() + 3_000_000))).rejects.toMatchObject({
    code: 'too_many_test_messages',
    status: 429,
    retryAfterSeconds: 600,
  })
  expect(await ask(new Date(now.getTime() + 3_601_000))).toMatchObject({ type: 'webhook.test' })
})

test('the log goes on page by page, also where many were made at one moment', async ({
  api,
  receiver,
}) => {
  const { deps, owned } = await aWaiting(api, receiver.url)
  const one = { endpointId: owned.id, type: 'credits.low', body: '{}', createdAt: new Date(0) }
  const many = Array.from({ length: 70 }, (_, n) => ({ ...one, messageId: `msg_${n}` }))
  await deps.db.insert(webhookDeliveries).values(many)
  const first = await webhooks.deliveries(deps, { ...owned, status: 'all' })
  const before = first.at(-1)!.id
  const second = await webhooks.deliveries(deps, { ...owned, status: 'all', before })
  expect([first.length, second.length]).toEqual([50, 21])
  expect(new Set([...first, ...second].map(({ id }) => id)).size).toBe(71)
})

test('a new password pauses every webhook, and messages that wait are not sent', async ({
  api,
  receiver,
}) => {
  const { deps, user, owned, sendAt } = await aWaiting(api, receiver.url)
  const mails: unknown[] = []
  const queue: webhooks.Deps['queue'] = {
    ...deps.queue,
    add: async (_tx, { name }, job) => {
      mails.push([name, job])
      return 'kept'
    },
  }
  for (let n = 0; n < 2; n++)
    await deps.db.transaction((tx) => webhooks.pauseAll(tx, queue, { userId: user.id }))
  expect(mails).toEqual([
    ['mail', { kind: 'webhook-paused', userId: user.id, why: 'new_password' }],
  ])
  expect(await sendAt(new Date())).toMatchObject({ status: 'failed', tries: 0 })
  expect(receiver.received).toEqual([])
  expect(await webhooks.list(deps, user.id)).toMatchObject([{ paused: 'new_password' }])
  await webhooks.change(deps, { ...owned, proof: anyProof, isPaused: false })
  expect(await webhooks.list(deps, user.id)).toMatchObject([{ paused: null }])
})

test('nobody whose session or key has ended makes or changes a webhook', async ({
  api,
  receiver,
}) => {
  const { deps, user, owned } = await aWaiting(api, receiver.url)
  const gone = [keys.proofOf(randomUUID()), { by: 'session', sessionId: randomUUID() }] as const
  for (const proof of gone)
    for (const act of [
      () => webhooks.make(deps, { userId: user.id, proof, url: receiver.url }),
      () => webhooks.change(deps, { ...owned, proof, isPaused: false }),
      () => webhooks.changeSecret(deps, { ...owned, proof }),
    ])
      await expect(act()).rejects.toMatchObject({ code: 'not_signed_in' })
})

test('webhooks tell of documents and low balances too', async ({ api, receiver }) => {
  const deps = depsOf(api)
  const { db, queue, clock } = deps
  const user = await aUser(db, { plan: 'professional', credits: 3 })
  await webhooks.make(deps, { userId: user.id, proof: anyProof, url: receiver.url })
  const { id } = await aTranscription(db, {
    userId: user.id,
    turns: [{ speaker: 0, text: 'We decided to move the launch to the first week of March.' }],
  })
  const call = await api.as(user)
  const url = `/api/transcription/${id}/documents`
  const ordered = await call({ method: 'POST', url, payload: { documentType: 'key-insights' } })
  expect(ordered.statusCode).toBe(200)
  await expect.poll(() => receiver.received.length, { timeout: 30_000 }).toBe(1)
  expect(receiver.received[0]!.body).toMatch(/"type":"document\.(completed|failed)"/)
  expect(receiver.received[0]!.body).toContain(ordered.json<{ id: string }>().id)

  await setAlert(db, { userId: user.id, below: 5 })
  const onEvent = webhooks.announceTo(deps)
  for (let n = 0; n < 2; n++) await remindOfLowBalances({ db, queue, clock, onEvent })
  await expect.poll(() => receiver.received.length).toBe(2)
  expect(JSON.parse(receiver.received[1]!.body)).toMatchObject({
    type: 'credits.low',
    data: { below: 5, available: expect.any(Number) },
  })
})
