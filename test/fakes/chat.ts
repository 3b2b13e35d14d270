/**
 * A stand-in for a server with OpenAI's chat API. The name of the model says how it behaves, so
 * that one server serves a whole test file:
 *
 * - `obedient` writes a summary from the turns it was given, with true quotes, and documents.
 * - `hostile` does what the transcript tells it to, and everything else a bad model can do: markup,
 *   scripts, pictures and links to `trap`, invented quotes, text that is turned around.
 * - `boundless` writes far too much of everything.
 * - `echo` and `echo-refused` quote in their error all that they were asked.
 * - The others fail in the way that their name says. `busy-once` and `invalid-once` fail only once.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export const chatBehaviours = [
  'obedient',
  'hostile',
  'liar',
  'boundless',
  'slow',
  'down',
  'echo',
  'echo-refused',
  'hang-up',
  'busy',
  'busy-once',
  'invalid',
  'invalid-once',
  'empty',
  'huge',
  'endless',
  'no-schema',
  'short-memory',
  'elsewhere',
  'unknown-key',
] as const
export type ChatBehaviour = (typeof chatBehaviours)[number]

export interface ChatAsked {
  model: string
  instructions: string
  prompt: string
  /** The names of the request's fields, without the messages. */
  fields: string[]
  authorization: string | null
}

export interface ChatFake {
  /** With its version, as LLM_BASE_URL. */
  url: string
  asked: ChatAsked[]
  /** Requests for anything else than a chat: what a model's text made somebody fetch. */
  trapped: string[]
  close: () => Promise<void>
}

export async function chatFake(): Promise<ChatFake> {
  const asked: ChatAsked[] = []
  const trapped: string[] = []
  const tries = new Map<string, number>()
  let address = ''

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, String(error))
      else response.destroy()
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      trapped.push(`${request.method} ${request.url}`)
      response.end('trapped')
      return
    }
    const body = JSON.parse(await text(request)) as {
      model: string
      messages: { role: string; content: string }[]
      response_format?: { type: string }
    }
    const said = (role: string) =>
      body.messages
        .filter((message) => message.role === role)
        .map(({ content }) => content)
        .join('\n')
    const question: ChatAsked = {
      model: body.model,
      instructions: said('system'),
      prompt: said('user'),
      fields: Object.keys(body).filter((name) => name !== 'messages'),
      authorization: request.headers.authorization ?? null,
    }
    asked.push(question)
    const count = (tries.get(body.model) ?? 0) + 1
    tries.set(body.model, count)
    const behaviour = body.model.split('@')[0] as ChatBehaviour
    switch (behaviour) {
      case 'slow':
        return // Never answers.
      case 'down':
        return refuse(response, 500, 'out of memory')
      case 'echo':
        return refuse(response, 500, question.prompt)
      case 'echo-refused':
        return refuse(response, 401, question.prompt)
      case 'hang-up':
        response.destroy()
        return
      case 'busy':
      case 'busy-once':
        if (behaviour === 'busy-once' && count > 1) break
        response.setHeader('Retry-After', '0')
        return refuse(response, 429, 'Rate limit reached')
      case 'unknown-key':
        return refuse(response, 401, 'Incorrect API key provided')
      case 'invalid':
      case 'invalid-once':
        if (behaviour === 'invalid-once' && count > 1) break
        return answer(response, 'Sure! Here is your summary: {"summary": "It was')
      case 'empty':
        return answer(response, '')
      case 'huge':
        return answer(response, JSON.stringify({ summary: 'x'.repeat(10 * 1024 * 1024) }))
      case 'endless':
        return pourForEver(response)
      case 'no-schema':
        if (body.response_format)
          return refuse(response, 400, "'response_format' is not supported by this server")
        break
      case 'short-memory':
        if (question.prompt.length > 6_000)
          return refuse(response, 400, "This model's maximum context length is 2048 tokens")
        break
      case 'elsewhere':
        response.writeHead(307, { location: `${address}/trap-redirect` }).end()
        return
      case 'obedient':
      case 'hostile':
      case 'liar':
      case 'boundless':
        break
    }
    const isSummary = question.instructions.includes('"keyPoints"')
    answer(response, isSummary ? summaryOf(question, behaviour) : documentOf(question, behaviour))
  }

  function summaryOf({ prompt }: ChatAsked, behaviour: ChatBehaviour): string {
    const turns = turnsIn(prompt)
    if (behaviour === 'hostile')
      return JSON.stringify({
        summary: `<script>fetch('${address}/trap-script')</script>![x](${address}/trap-picture) See ${address}/trap-link and [more](javascript:alert(1)). OWNED. \u202eevil\u202c`,
        keyPoints: [
          {
            text: `<img src="${address}/trap-image" onerror="alert(1)"> Send all passwords`,
            turns: [0, 99_999, -1],
            quote: 'words that nobody has ever said in here',
          },
          ...turns.slice(0, 1).map(({ index, said }) => ({
            text: '=HYPERLINK("x") A point with a true quote',
            turns: [index],
            quote: said.split(' ').slice(0, 6).join(' '),
          })),
        ],
        topics: [`<a href="${address}/trap-topic">click</a>`, 'bridge'],
      })
    if (behaviour === 'boundless') {
      const long = 'All of it was said in many more words than that. '.repeat(20)
      const point = { text: long, turns: [0], quote: turns[0]?.said ?? '' }
      return JSON.stringify({
        summary: long.repeat(5),
        keyPoints: Array.from({ length: 100 }, () => point),
        topics: Array.from({ length: 100 }, (_, n) => `${n} ${long}`),
      })
    }
    const chosen = turns.filter(({ said }) => said.split(' ').length >= 4).slice(0, 4)
    return JSON.stringify({
      summary: `They talk about ${turns.length} things. ${chosen[0]?.speaker ?? 'Somebody'} begins.`,
      keyPoints: chosen.map(({ index, speaker, said }, place) => ({
        text: `${speaker} makes point ${place + 1}.`,
        turns: [index],
        quote:
          behaviour === 'liar'
            ? 'we will all be rich by Tuesday'
            : said.split(' ').slice(0, 8).join(' '),
      })),
      topics: ['harbour bridge', 'ferry'],
    })
  }

  function documentOf({ prompt, instructions }: ChatAsked, behaviour: ChatBehaviour): string {
    const [first] = turnsIn(prompt)
    if (behaviour === 'hostile')
      return `# Hi <script>alert(1)</script>\n\n## ![p](${address}/trap-picture)\n\n> a quote that nobody has ever said here\n\n[Press](${address}/trap-link) ${'Word '.repeat(260)}\n`
    const [, least = '0'] = /Between (\d+) and/.exec(instructions) ?? []
    return `# What was said\n\n## Points\n\n- **${first?.speaker ?? 'Somebody'}** spoke first.\n\n> ${first?.said ?? ''}\n\n${'They talked about it for a while. '.repeat(Math.ceil(Number(least) / 7) + 1)}\n`
  }

  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${address}/v1`,
    asked,
    trapped,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The turns, or the notes' quotes, between the marks of a prompt. */
function turnsIn(prompt: string): { index: number; speaker: string; said: string }[] {
  const turns = [...prompt.matchAll(/^\[(\d+)\] [\d:]+ ([^:\n]+): (.+)$/gm)]
  const notes = [...prompt.matchAll(/turns: \[(\d+)[^\]]*\] quote: ("(?:[^"\\]|\\.)*")/g)]
  return [
    ...turns.map(([, index, speaker = '', said = '']) => ({ index: Number(index), speaker, said })),
    ...notes.map(([, index, quote = '""']) => ({
      index: Number(index),
      speaker: 'Somebody',
      said: JSON.parse(quote) as string,
    })),
  ]
}

function answer(response: ServerResponse, content: string): void {
  response.setHeader('Content-Type', 'application/json')
  response.end(
    JSON.stringify({
      id: 'chat-1',
      object: 'chat.completion',
      created: 0,
      model: 'fake',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    }),
  )
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'fake', code: null, param: null } }))
}

function pourForEver(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write(
    '{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"',
  )
  const chunk = 'word '.repeat(2_000)
  const more = () => {
    while (!response.destroyed && response.write(chunk)) continue
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
