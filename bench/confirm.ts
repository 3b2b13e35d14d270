/**
 * Can a balance be spent twice, or one confirmation charge twice? Two web processes on one
 * PostgreSQL, asked by many clients at the same moment.
 *
 *     npm run bench -- confirm [rounds = 20]
 *
 * - races: a balance of 7, and 100 uploads of 7 credits confirmed at once: one is taken
 * - repeats: one upload confirmed 50 times at once, and again after `kill -9` of both processes
 */
import { creditsFor } from '#features/credits/contract.ts'
import * as credits from '#features/credits/credits.ts'
import { Client } from '#test/client.ts'
import { aUser, anUpload } from '#test/factories.ts'
import { settingsOf } from '#test/roles.ts'
import { freePort, startServer } from '#test/server.ts'

import { openBenchDatabase } from './tools/house.ts'
import { type Figure, printFigures, printMachine } from './tools/report.ts'

const [rounds = 20] = process.argv.slice(2).map(Number)
const SECONDS = 20 * 60
const price = creditsFor(SECONDS)
const password = 'correct horse battery staple'

printMachine()
const { database, dataDir, stop } = await openBenchDatabase()
const { db } = database
const ports = [await freePort(), await freePort()]
const settings = { ...settingsOf({ dataDir, databaseUrl: database.url }), ROLE: 'web' }
const start = () =>
  Promise.all(ports.map((port) => startServer({ dataDir, port, settings: { ...settings } })))

try {
  let servers = await start()
  const figures: Figure[] = [...(await races()), ...(await repeats())]
  await Promise.all(servers.map((server) => server.stop()))
  printFigures('Confirming, over two web processes', figures)
  process.exitCode = figures.every(({ isMet }) => isMet !== false) ? 0 : 1

  async function races(): Promise<Figure[]> {
    let right = 0
    const answers = new Map<string, number>()
    for (let round = 0; round < rounds; round++) {
      const user = await aUser(db, { credits: price, password })
      const clients = await signIn(user.email)
      const uploads = await Promise.all(
        Array.from({ length: 100 }, () => anUpload(db, { userId: user.id, seconds: SECONDS })),
      )
      const statuses = await Promise.all(
        uploads.map(async ({ id }, index) => {
          const answer = await confirm(clients[index % clients.length]!, id)
          const key = `${answer.status}${answer.status === 402 ? ` ${codeOf(answer.body)}` : ''}`
          answers.set(key, (answers.get(key) ?? 0) + 1)
          return answer.status
        }),
      )
      const balance = await credits.balance(db, user.id)
      const taken = statuses.filter((status) => status === 200).length
      const refused = statuses.filter((status) => status === 402).length
      if (taken === 1 && refused === 99 && balance.available === 0 && balance.held === price)
        right++
    }
    const problems = await credits.verify(db)
    return [
      {
        what: `${rounds} × 100 confirms of ${price} credits at once on a balance of ${price}: exactly one taken`,
        figure: `${right} of ${rounds} rounds`,
        bar: 'all',
        isMet: right === rounds && problems.length === 0,
      },
      {
        what: 'answers',
        figure: [...answers].map(([status, count]) => `${count} × ${status}`).join(', '),
      },
      { what: 'problems in the ledger', figure: String(problems.length), bar: '0' },
    ]
  }

  async function repeats(): Promise<Figure[]> {
    const user = await aUser(db, { credits: 3 * price, password })
    const upload = await anUpload(db, { userId: user.id, seconds: SECONDS })
    let clients = await signIn(user.email)
    const ask = () =>
      Promise.all(
        Array.from({ length: 50 }, (_, n) => confirm(clients[n % clients.length]!, upload.id)),
      )
    const before = await ask()
    await Promise.all(servers.map((server) => server.kill()))
    servers = await start()
    clients = await signIn(user.email)
    const after = await ask()
    const other = await confirm(clients[0]!, upload.id, 'fr')

    const bodies = new Set([...before, ...after].map(({ status, body }) => `${status} ${body}`))
    const holds = (await credits.entries(db, { userId: user.id })).filter(
      ({ kind }) => kind === 'hold',
    ).length
    const { held } = await credits.balance(db, user.id)
    return [
      {
        what: '50 equal confirms at once, and 50 after kill -9 of both: different answers',
        figure: String(bodies.size),
        bar: '1',
        isMet: bodies.size === 1 && [...bodies][0]?.startsWith('200 ') === true,
      },
      {
        what: 'holds made; credits held',
        figure: `${holds}; ${held}`,
        bar: `1; ${price}`,
        isMet: holds === 1 && held === price,
      },
      {
        what: 'the same with another language',
        figure: `${other.status} ${codeOf(other.body)}`,
        bar: '409 or 422',
        isMet: other.status === 409 || other.status === 422,
      },
    ]
  }

  function signIn(email: string): Promise<Client[]> {
    return Promise.all(
      servers.map(async (server) => {
        const client = new Client(server.url)
        await client.expect('POST', '/api/login', { email, password })
        return client
      }),
    )
  }
} finally {
  await stop()
}

async function confirm(client: Client, id: string, summaryLanguage = 'en') {
  const answer = await client.call('POST', `/api/transcriptions/${id}/confirm`, { summaryLanguage })
  return { status: answer.status, body: await answer.text() }
}

function codeOf(body: string): string {
  return (JSON.parse(body) as { code: string }).code
}
