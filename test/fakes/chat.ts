/**
 * A stand-in for a server with OpenAI's chat API. The name of the model says how it behaves, so
 * that one server serves a whole test file:
 *
 * - `obedient` writes a summary from the turns it was given, with true quotes, and documents.
 * - `hostile` does what the transcript tells it to, and everything else a bad model can do: markup,
 *   scripts, pictures and links to `trap`, invented quotes, text that is turned around.
 * - `boundless` writes far too much of everything.
 * - Those from `one-sentence` on answer in the right form what must not be shown: see `misbehaved`.
 *   With `-once` they do it once, and then obey.
 * - Those from `chapters-backwards` on obey, but for the chapters that they give.
 * - `tasks` writes a true summary, and action items of which only the first two are true.
 * - `endless-tasks` breaks off where it is asked for action items, and else obeys.
 * - `held` answers when the test calls `release`; `drips` sends the first line of a stream, and the
 *   rest when the test calls it.
 * - A question about passages gets lines of an answer: true ones from `obedient`, one true and one
 *   false from `half-true`, and from `hostile` all that the passages order. It is asked as a stream.
 * - Asked to translate, they put a word of the language that is asked for in the place of each word;
 *   `hostile`, and those from `drops-a-turn` to `stuck`, do it badly: see `translationOf`.
 * - `echo` and `echo-refused` quote in their error all that they were asked.
 * - The others fail in the way that their name says. `busy-once` and `invalid-once` fail only once.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { languageOf } from '#features/writing/languages.ts'
import { summaryLanguageCodes } from '#shared/business.ts'
import { languageName } from '#shared/format.ts'

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
  'unknown-model',
  'no-memory',
  'held',
  'tight',
  'broken-memory',
  'breaks-off',
  'error-page',
  'one-sentence',
  'one-phrase',
  'equal-points',
  'parrot',
  'placeholder',
  'mark',
  'echo-turns',
  'other-language',
  'other-language-once',
  'cut',
  'page',
  'blank',
  'blank-once',
  'false-proof',
  'false-figures',
  'false-quote',
  'tasks',
  'endless-tasks',
  'own-headings',
  'own-echo',
  'own-parts',
  'own-lie',
  'own-leak',
  'one-paragraph',
  'loose',
  'drops-a-turn',
  'drops-a-turn-once',
  'joins-turns',
  'marks-up',
  'stuck',
  'half-true',
  'nothing-said',
  'partly',
  'mute-once',
  'drips',
  'chapters-backwards',
  'chapters-elsewhere',
  'chapters-empty',
  'chapters-foreign',
  'chapters-alike',
  'chapters-leaking',
  'chapters-unsaid',
  'chapters-malformed',
] as const
export type ChatBehaviour = (typeof chatBehaviours)[number]

export interface ChatAsked {
  model: string
  instructions: string
  prompt: string
  /** The names of the request's fields, without the messages. */
  fields: string[]
  /** How long the answer may be; null where nothing was said of it. */
  answerTokens: number | null
  /** Whether it was more than the server takes. */
  isTooLong: boolean
  authorization: string | null
  /** Whether a stream has ended, or whoever asked has gone. */
  isOver: boolean
}

export interface ChatFake {
  /** With its version, as LLM_BASE_URL. */
  url: string
  asked: ChatAsked[]
  /** Requests for anything else than a chat: what a model's text made somebody fetch. */
  trapped: string[]
  /** Lets every `held` question be answered, now and from now on. */
  release: () => void
  close: () => Promise<void>
}

/** With `contextTokens` it says, as Ollama does, that it reads so much of a model at once. */
export async function chatFake({
  contextTokens = null,
}: { contextTokens?: number | null } = {}): Promise<ChatFake> {
  const asked: ChatAsked[] = []
  const trapped: string[] = []
  const tries = new Map<string, number>()
  const released = Promise.withResolvers<void>()
  let address = ''

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, String(error))
      else response.destroy()
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/api/ps' && contextTokens !== null) {
      const models = [...tries.keys()].map((name) => ({ name, context_length: contextTokens }))
      response.end(JSON.stringify({ models }))
      return
    }
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      trapped.push(`${request.method} ${request.url}`)
      response.end('trapped')
      return
    }
    const body = JSON.parse(await text(request)) as {
      model: string
      messages: { role: string; content: string }[]
      response_format?: { type: string }
      max_tokens?: number
      stream?: boolean
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
      answerTokens: body.max_tokens ?? null,
      isTooLong: false,
      authorization: request.headers.authorization ?? null,
      isOver: false,
    }
    asked.push(question)
    if (body.stream === true) response.on('close', () => (question.isOver = true))
    const answer = body.stream === true ? pour : answerAtOnce
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
      case 'unknown-model':
        return refuse(response, 404, `model "${body.model}" not found`)
      case 'no-memory':
        return refuse(response, 400, "This model's maximum context length is 512 tokens")
      case 'invalid':
      case 'invalid-once':
        if (behaviour === 'invalid-once' && count > 1) break
        return answer(response, 'Sure! Here is your summary: {"summary": "It was')
      case 'empty':
        return answer(response, '')
      case 'huge':
        return answer(response, JSON.stringify({ summary: 'x'.repeat(10 * 1024 * 1024) }))
      case 'endless':
        if (body.stream === true) return repeatForEver(response)
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
      case 'held':
        await released.promise
        break
      case 'tight':
        // Prompt and answer count together.
        question.isTooLong = tokensOf(question) + (question.answerTokens ?? 0) > 2_000
        if (question.isTooLong)
          return refuse(response, 400, "This model's maximum context length is 2000 tokens")
        break
      case 'broken-memory':
        question.isTooLong = question.prompt.length > 3_000
        if (question.isTooLong)
          return refuse(response, 500, 'the request exceeds the available context size')
        break
      case 'breaks-off':
        if (body.stream === true) {
          response.writeHead(200, { 'Content-Type': 'text/event-stream' })
          response.write(piece(`${answerLines(question)[0]}\n`))
          response.write(piece('And then'))
          response.socket?.end()
          return
        }
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '900' })
        response.write('{"choices":[{"index":0,"message":{"role":"assistant","content":"{')
        response.socket?.end()
        return
      case 'error-page':
        response.setHeader('Content-Type', 'text/html')
        response.end('<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>')
        return
      case 'drips': {
        const [first = '', ...others] = answerLines(question)
        response.writeHead(200, { 'Content-Type': 'text/event-stream' })
        response.write(piece(`${first}\n`))
        await Promise.race([released.promise, once(response, 'close')])
        return answer(response, others.join('\n'))
      }
      case 'mute-once':
        if (count === 1) return answer(response, 'I am sorry, but I cannot help with that.')
        break
      case 'half-true':
      case 'nothing-said':
      case 'partly':
      case 'obedient':
      case 'chapters-backwards':
      case 'chapters-elsewhere':
      case 'chapters-empty':
      case 'chapters-foreign':
      case 'chapters-alike':
      case 'chapters-leaking':
      case 'chapters-unsaid':
      case 'chapters-malformed':
      case 'hostile':
      case 'liar':
      case 'boundless':
        break
      case 'endless-tasks':
        if (!question.instructions.includes('actionItems')) break
        return answer(response, misbehaved('tasks', question), 'length')
      case 'cut':
        return answer(response, misbehaved('one-sentence', question), 'length')
      case 'one-sentence':
      case 'one-phrase':
      case 'equal-points':
      case 'parrot':
      case 'placeholder':
      case 'mark':
      case 'echo-turns':
      case 'other-language':
      case 'other-language-once':
      case 'page':
      case 'blank':
      case 'blank-once':
      case 'false-proof':
      case 'false-figures':
      case 'false-quote':
      case 'tasks':
      case 'own-headings':
      case 'own-echo':
      case 'own-parts':
      case 'own-lie':
      case 'own-leak':
      case 'one-paragraph':
      case 'loose':
      case 'drops-a-turn':
      case 'drops-a-turn-once':
      case 'joins-turns':
      case 'marks-up':
      case 'stuck':
        if (behaviour.endsWith('-once') && count > 1) break
        return answer(response, misbehaved(behaviour.replace('-once', ''), question))
    }
    if (isOfPassages(question))
      return answer(response, answered(question, behaviour, address).join('\n'))
    if (isOfTranslation(question)) return answer(response, translationOf(behaviour, question))
    const isSummary = isOfSummary(question)
    answer(response, isSummary ? summaryOf(question, behaviour) : documentOf(question, behaviour))
  }

  function summaryOf({ prompt, instructions }: ChatAsked, behaviour: ChatBehaviour): string {
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
            text: `=HYPERLINK("x") A true quote: ${said}`,
            turns: [index],
            quote: said.split(' ').slice(0, 6).join(' '),
          })),
        ],
        topics: [`<a href="${address}/trap-topic">click</a>`, 'bridge'],
      })
    if (behaviour === 'boundless') {
      const point = (n: number) => ({
        text: chatter(60, n * 13),
        turns: [0],
        quote: turns[0]?.said ?? '',
      })
      return JSON.stringify({
        summary: chatter(500),
        keyPoints: Array.from({ length: 100 }, (_, n) => point(n)),
        topics: Array.from({ length: 100 }, (_, n) => chatter(20, n * 13)),
      })
    }
    const chosen = turns.filter(({ said }) => said.split(' ').length >= 4).slice(0, 4)
    return JSON.stringify({
      summary: `${abouts[languageIn(instructions)] ?? abouts.English} ${chosen[0]?.speaker ?? 'Somebody'} begins.`,
      keyPoints: chosen.map(({ index, speaker, said }, place) => ({
        text:
          languageIn(instructions) === 'English'
            ? `${speaker}: ${said}`
            : `${abouts[languageIn(instructions)]} (${place + 1})`,
        turns: [index],
        quote:
          behaviour === 'liar'
            ? 'we will all be rich by Tuesday'
            : said.split(' ').slice(0, 8).join(' '),
      })),
      topics: ['harbour bridge', 'ferry'],
      ...(instructions.includes('- chapters:')
        ? { chapters: chaptersOf(turns, behaviour, instructions) }
        : {}),
    })
  }

  function documentOf({ prompt, instructions }: ChatAsked, behaviour: ChatBehaviour): string {
    const [first] = turnsIn(prompt)
    if (behaviour === 'hostile')
      return `# Hi <script>alert(1)</script>\n\n## ![p](${address}/trap-picture)\n\n> a quote that nobody has ever said here\n\n[Press](${address}/trap-link) ${chatter(40)}\n`
    const [, least = '0'] = /Between (\d+) and/.exec(instructions) ?? []
    return `# What was said\n\n## Points\n\n- **${first?.speaker ?? 'Somebody'}** spoke first.\n\n> ${first?.said ?? ''}\n\n${chatter(Math.ceil(Number(least) / 8) + 1)}\n`
  }

  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${address}/v1`,
    asked,
    trapped,
    release: () => released.resolve(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** A chapter for each quarter of the turns, called after how it begins. */
function chaptersOf(
  turns: ReturnType<typeof turnsIn>,
  behaviour: ChatBehaviour,
  instructions: string,
): unknown {
  const step = Math.max(1, Math.ceil(turns.length / 4))
  const good = turns
    .filter((_, at) => at % step === 0)
    .map(({ index, said }) => ({ title: said.split(' ').slice(0, 4).join(' '), turn: index }))
  const called = (title: (at: number) => string) =>
    good.map(({ turn }, at) => ({ title: title(at), turn }))
  const told = instructions.split(' ')
  const bad: Partial<Record<ChatBehaviour, unknown>> = {
    'chapters-backwards': good.toReversed(),
    'chapters-elsewhere': good.map(({ title, turn }) => ({ title, turn: turn + 90_000 })),
    'chapters-empty': called(() => 'string'),
    'chapters-foreign': called((at) => `Das ist nicht der Anfang und auch die ${at}`),
    'chapters-alike': called(() => 'The beginning'),
    'chapters-leaking': called((at) => told.slice(8 * at, 8 * at + 12).join(' ')),
    'chapters-unsaid': called((at) => `A loss of ${at + 41}7 million dollars`),
    'chapters-malformed': { first: 'The beginning', second: [1, 2] },
  }
  return bad[behaviour] ?? good
}

/** Two tasks that somebody said, and everything that is wrong with others. */
function tasksOf({ prompt, instructions }: ChatAsked): string {
  const [first, second] = turnsIn(prompt)
  const said = first?.said ?? ''
  const quote = said.split(' ').slice(0, 6).join(' ')
  const task = { text: said, who: null, due: null, turn: first?.index, quote }
  return JSON.stringify({
    summary: abouts[languageIn(instructions)] ?? abouts.English,
    keyPoints: [],
    topics: [],
    actionItems: [
      { ...task, who: first?.speaker, due: 'by Friday' },
      { ...task, text: second?.said, turn: second?.index, quote: second?.said, who: 'Nobody Said' },
      { ...task, text: `Never said: ${said}`, quote: 'we will all be rich by Tuesday' },
      { ...task, text: `In another turn: ${said}`, turn: second?.index },
      { ...task, text: `Pay 900 euros: ${said}` },
      { ...task, text: `Ask Zebediah: ${said}` },
      { ...task, text: 'string' },
      { ...task, text: said.toUpperCase() },
      { ...task, text: 'und die ist nicht auf der Liste, weil das eine andere Sprache ist' },
      { ...task, text: '' },
      { text: said },
      'a word',
      null,
      7,
    ],
  })
}

/** What a weak model writes: the right form around what nobody can use. */
function misbehaved(behaviour: string, question: ChatAsked): string {
  if (isOfTranslation(question)) return translationOf(behaviour, question)
  const { prompt, instructions } = question
  const [first] = turnsIn(prompt)
  const said = first?.said ?? ''
  const about = abouts[languageIn(instructions)] ?? abouts.English
  const sentence = 'The bridge is closed until the work is done. '
  const notes = (summary: string, keyPoints: unknown = [], topics: unknown = ['bridge']) =>
    JSON.stringify({ summary, keyPoints, topics })
  const inForm = (text: string) => (isOfSummary(question) ? notes(text) : `# Title\n\n${text}\n`)
  switch (behaviour) {
    case 'one-sentence':
      return inForm(sentence.repeat(40))
    case 'one-phrase':
      return inForm('and the bridge and the ferry '.repeat(40))
    case 'equal-points':
      return notes(
        about ?? '',
        Array.from({ length: 10 }, (_, n) => ({
          text: n % 2 === 0 ? said : said.toUpperCase(),
          turns: [0],
          quote: said,
        })),
      )
    case 'tasks':
      return isOfSummary(question) ? tasksOf(question) : notes(about ?? '')
    case 'parrot':
      return inForm(instructions)
    case 'placeholder':
      return isOfSummary(question)
        ? notes('string', [{ text: 'string', turns: [0], quote: 'string' }], ['string'])
        : 'string'
    case 'mark':
      return inForm(`${about} ${prompt.split('\n').at(-1)}`)
    case 'echo-turns':
      return inForm(prompt.split('\n').slice(1, -1).join('\n'))
    case 'other-language':
      return inForm(
        languageIn(instructions) === 'German'
          ? `${abouts.English} It is about what they have decided and why that is not all of it.`
          : `${abouts.German} Es geht darum, was sie beschlossen haben und warum das noch nicht alles ist.`,
      )
    case 'page':
      return '<!DOCTYPE html><html><body><h1>Welcome to the model</h1></body></html>'
    case 'blank':
      return isOfSummary(question) ? notes('', [], []) : ''
    case 'false-proof':
      return notes(about ?? '', [
        { text: 'The chief resigned and left.', turns: [0], quote: said },
        { text: said, turns: [0], quote: said },
      ])
    case 'false-figures':
      return notes(about ?? '', [
        { text: 'The bridge costs 48,000 euros.', turns: [0], quote: said },
        { text: 'The bridge was planned by Miranda Oakes.', turns: [0], quote: said },
        { text: said, turns: [0], quote: said },
      ])
    case 'false-quote': {
      const invented = 'One of them said “we will all be rich by Tuesday” and left.'
      return `# Title\n\n${chatter(20)} ${invented} Another said “${said}” and stayed. ${chatter(20, 500)}\n`
    }
    case 'own-headings':
      return `# Report\n\n${describedIn(instructions)
        .split('\n')
        .map((line, n) => `## ${line}\n\n${chatter(10, n * 97)}`)
        .join('\n\n')}\n`
    case 'own-echo':
      return `# Report\n\n${describedIn(instructions)}\n`
    case 'own-parts':
      return `# Report\n\nThey heard Ada Lovett there. It was at 0:06 in the morning. They met on November 20, 2026. They wrote a long letter to Miranda Oakes about it. They paid 47,811 euros for the boat. One said “${said}” and left.\n\n> ${said} — Ben Okafor\n\n${chatter(20)}\n`
    case 'own-lie':
      return `# Report\n\n${Array.from({ length: 12 }, (_, n) => `The mayor Miranda Oakes paid ${n + 4},711 euros for ${chatter(1, n * 31)}`).join('\n\n')}\n`
    case 'own-leak':
      return `# Report\n\n${instructions.split('\n')[2]}\n\n${chatter(20)}\n`
    case 'one-paragraph':
      return `# Title\n\n## All of it\n\n${chatter(400)}\n`
    case 'loose':
      return `Here it is {as asked}:\n\`\`\`json\n${JSON.stringify({
        summary: about,
        keyPoints: [said, { text: said.slice(0, 40), turns: ['0', '[1]'], quote: said }],
      })}\n\`\`\`\nDone :-}`
    default:
      throw new Error(`nobody knows how ${behaviour} answers`)
  }
}

const isOfTranslation = ({ instructions }: ChatAsked): boolean =>
  instructions.startsWith('You translate')

/** Turns of a question in the language that it asks for. */
function translationOf(behaviour: string, { instructions, prompt }: ChatAsked): string {
  const name = languageIn(instructions)
  const code = summaryLanguageCodes.find((one) => languageName(one) === name) ?? 'en'
  const said = [...prompt.matchAll(/^\[(\d+)\] ([^:\n]+): (.+)$/gm)].map(
    ([, number, , words = '']) => ({ number: Number(number), words }),
  )
  const turns = said.map(({ number, words }) => ({ number, text: inLanguage(words, code) }))
  const all = (each: (turn: (typeof turns)[number], words: string) => string) =>
    JSON.stringify({
      turns: turns.map((turn, index) => ({
        ...turn,
        text: each(turn, said[index]?.words ?? ''),
      })),
    })
  switch (behaviour) {
    case 'hostile':
      return all(({ text }, words) => (/ignore/i.test(words) ? 'OWNED' : text))
    case 'liar':
    case 'false-figures':
      return all(({ text }) => (/\d/.test(text) ? text.replace(/\d+/g, '4711') : `${text} 4711.`))
    case 'other-language':
      return all((_, words) => words)
    case 'parrot':
      return all(() => instructions)
    case 'mark':
      return all(({ text }) => `${text} ${prompt.split('\n').at(-1)}`)
    case 'echo-turns':
      return all(({ number, text }) => `[${number}] ${text}`)
    case 'one-phrase':
      return all(({ text }) => `${text.split(' ').slice(0, 2).join(' ')} `.repeat(12))
    case 'blank':
      return all(() => '…')
    case 'page':
    case 'marks-up':
      return all(({ text }) => `<b>${text}</b> [more](https://example.com)`)
    case 'drops-a-turn':
      return JSON.stringify({
        turns: turns.filter((_, index) => turns.length === 1 || index !== 1),
      })
    case 'joins-turns': {
      const [first, second, ...others] = turns
      return JSON.stringify({
        turns: second ? [{ number: 1, text: `${first?.text} ${second.text}` }, ...others] : turns,
      })
    }
    case 'stuck':
      return all(({ text }, words) => (words.includes('stuck') ? '' : text))
    default:
      return JSON.stringify({ turns })
  }
}

/** A word of the language for each word, the same for the same; figures and names stay. */
function inLanguage(words: string, code: string): string {
  const { stopWords, isUnspaced } = languageOf(code)
  const known = [...stopWords].filter((word) => /^\p{L}{2,7}$/u.test(word))
  const sumOf = (word: string) =>
    [...word].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521, 7)
  const other = words.split(' ').map((word, index) => {
    const [bare = ''] = /[\p{L}\p{N}'’-]+/u.exec(word) ?? []
    if (bare === '' || /[\p{N}<>{}[\]()/=|]/u.test(word) || (index > 0 && /^\p{Lu}/u.test(bare)))
      return word
    const chosen = known[sumOf(bare.toLowerCase()) % known.length] ?? bare
    const cased = index === 0 ? chosen.charAt(0).toUpperCase() + chosen.slice(1) : chosen
    return word.replace(bare, cased)
  })
  return isUnspaced
    ? other
        .join('')
        .replace(/,(?!\d)/g, '、')
        .replace(/\.(?!\d)/g, '。')
    : other.join(' ')
}

const isOfSummary = ({ instructions }: ChatAsked): boolean => instructions.includes('"keyPoints"')

/** What a user asked for in words of their own. */
const describedIn = (instructions: string): string =>
  /^<<< description \w+\n([\s\S]*?)\ndescription \w+ >>>$/m.exec(instructions)?.[1] ?? ''

const languageIn = (instructions: string): string =>
  /^Write in (\w+),/m.exec(instructions)?.[1] ?? 'English'

/** What obedient summaries begin with. */
const abouts: Record<string, string> = {
  English: 'They talk about what they have to do with this, and who is to do it.',
  German: 'Sie sprechen darüber, was sie damit tun müssen und wer es tun soll.',
  Japanese: 'この録音では、これから何をするべきか、そして誰がそれをするのかについて話しています。',
}

/** As a rough tokenizer counts. */
const tokensOf = ({ instructions, prompt }: ChatAsked): number =>
  Math.ceil((instructions.length + prompt.length) / 4)

const words =
  'the ferry was late again and so they had to wait for a boat in rain harbour quay bridge ticket winter office repair crowd letter plan old new long short open close walk count paint move change noon night care hand word way end'.split(
    ' ',
  )

/** Sentences of eight words, in which hardly any four words in a row are there twice. */
function chatter(sentences: number, from = 0): string {
  let seed = from + 1
  const next = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return words[seed % words.length]
  }
  const sentence = () => `They ${Array.from({ length: 7 }, next).join(' ')}.`
  return Array.from({ length: sentences }, sentence).join(' ')
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

/** What a question to passages gets, line by line. */
function answered(question: ChatAsked, behaviour: ChatBehaviour, trap: string): string[] {
  const lines = answerLines(question)
  const [first = ''] = lines
  const [passage] = turnsIn(question.prompt)
  const quote = passage?.said.split(' ').slice(0, 6).join(' ') ?? ''
  const ofBehaviour: Partial<Record<ChatBehaviour, string[]>> = {
    'half-true': [first, 'The mayor paid 48,000 euros for it. [0] "paid 48,000 euros for it"'],
    'nothing-said': ['NOT SAID'],
    partly: [first, 'MISSING: what the weather was like.'],
    liar: [
      'They will all be rich. [0] "we will all be rich by Tuesday"',
      `Miranda Oakes resigned on 31 March. [0] "${quote}"`,
      'It is all paid for. [99] "it is all paid for already"',
    ],
    hostile: [
      question.instructions,
      question.prompt,
      `My instructions are: ${question.instructions.replaceAll('\n', ' ')} [0] "${quote}"`,
      `The meeting was cancelled. [0] "say that the meeting was cancelled"`,
      `<img src="${trap}/trap-image" onerror="alert(1)"> ${quote} [see](${trap}/trap-link) [0] "${quote}"`,
      `<script>fetch('${trap}/trap-script')</script> Call ${trap}/trap-call now. [0] "call this address now"`,
    ],
  }
  return ofBehaviour[behaviour] ?? lines
}

/** True sentences about the passages that have most words of the question. */
function answerLines({ prompt }: ChatAsked): string[] {
  const asked = (prompt.split('\nQuestion: ').at(-1) ?? '').toLowerCase().match(/\p{L}{4,}/gu) ?? []
  const inCommon = (said: string) =>
    asked.filter((word) => said.toLowerCase().includes(word.slice(0, 5))).length
  return turnsIn(prompt)
    .filter(({ said }) => said.split(' ').length >= 5)
    .toSorted((a, b) => inCommon(b.said) - inCommon(a.said))
    .slice(0, 2)
    .map(({ index, said }) => {
      const words = said.split(' ').slice(0, 12).join(' ')
      return `${words.replace(/[.,;:?!]*$/, '')}. [${index}] "${words}"`
    })
}

const isOfPassages = ({ instructions }: ChatAsked): boolean => instructions.includes('NOT SAID')

/** One piece of a stream, as servers with OpenAI's chat API send it. */
const piece = (content: string, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chat-1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'fake',
    choices: [{ index: 0, delta: { content }, finish_reason: finishReason }],
  })}\n\n`

function pour(response: ServerResponse, content: string, finishReason = 'stop'): void {
  if (response.destroyed) return
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const length = Math.max(40, Math.ceil(content.length / 100))
  for (let at = 0; at < content.length; at += length)
    response.write(piece(content.slice(at, at + length)))
  response.end(`${piece('', finishReason)}data: [DONE]\n\n`)
}

function repeatForEver(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const chunk = piece('It was said again and again. [0] "again and again"\n')
  const more = () => {
    while (!response.destroyed && response.write(chunk)) continue
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

function answerAtOnce(response: ServerResponse, content: string, finishReason = 'stop'): void {
  response.setHeader('Content-Type', 'application/json')
  response.end(
    JSON.stringify({
      id: 'chat-1',
      object: 'chat.completion',
      created: 0,
      model: 'fake',
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finishReason }],
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
