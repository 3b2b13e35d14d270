/**
 * A stand-in for a server with OpenAI's chat API. The name of the model says how it behaves, so
 * that one server serves a whole test file:
 *
 * - `obedient` writes a summary from the turns it was given, with true quotes, and documents. Asked
 *   to translate, it puts a word of the language that is asked for in the place of each word. A
 *   question about passages gets true lines of an answer; it is asked as a stream. It knows other words
 *   for very few.
 * - `hostile` does what the transcript tells it to, and everything else a bad model can do: markup,
 *   scripts, pictures and links to `trap`, invented quotes, text that is turned around.
 * - `unstreamed` obeys too, and does not know streams: it answers as if none had been asked for.
 * - `faults` are those of a server that fails, `misbehaviours` answer in the right form what must not
 *   be shown, and the others do one thing badly: chapters, a translation, or lines of an answer.
 * - With `-once` at its end, it behaves so once, and then obeys.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { languageOf } from '#features/writing/languages.ts'
import { valuesIn } from '#features/writing/values/values.ts'
import { summaryLanguageCodes } from '#shared/business.ts'
import { languageName } from '#shared/format.ts'

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
  /** Whether a stream has ended, or its client has gone. */
  isOver: boolean
}

export interface ChatFake {
  /** With its version, as LLM_BASE_URL. */
  url: string
  asked: ChatAsked[]
  /** Requests that are no chat: an address in a model's text made somebody fetch it. */
  trapped: string[]
  /** Lets every `held` question be answered, now and from now on. */
  release: () => void
  close: () => Promise<void>
}

/** A question as a fault gets it. */
interface Call {
  question: ChatAsked
  response: ServerResponse
  answer: (response: ServerResponse, content: string, finishReason?: string) => void
  isStream: boolean
  /** Whether a form of the answer was asked for. */
  hasForm: boolean
  /** Resolves when the test calls `release`. */
  released: Promise<void>
  address: string
}

/** One that returns `obey` does not fail this time. */
type Fault = (call: Call) => 'obey' | void | Promise<'obey' | void>

/** How servers fail. */
const faults = {
  /** It never answers. */
  slow: () => undefined,
  down: ({ response }) => refuse(response, 500, 'out of memory'),
  /** They quote in their error all that they were asked. */
  echo: ({ response, question }) => refuse(response, 500, question.prompt),
  'echo-refused': ({ response, question }) => refuse(response, 401, question.prompt),
  'hang-up': ({ response }) => void response.destroy(),
  busy({ response }) {
    response.setHeader('Retry-After', '0')
    refuse(response, 429, 'Rate limit reached')
  },
  'unknown-key': ({ response }) => refuse(response, 401, 'Incorrect API key provided'),
  'unknown-model': ({ response, question }) =>
    refuse(response, 404, `model "${question.model}" not found`),
  'no-memory': ({ response }) =>
    refuse(response, 400, "This model's maximum context length is 512 tokens"),
  invalid: ({ response, answer }) =>
    answer(response, 'Sure! Here is your summary: {"summary": "It was'),
  empty: ({ response, answer }) => answer(response, ''),
  mute: ({ response, answer }) => answer(response, 'I am sorry, but I cannot help with that.'),
  huge: ({ response, answer }) =>
    answer(response, JSON.stringify({ summary: 'x'.repeat(10 * 1024 * 1024) })),
  endless: ({ response }) => repeatForEver(response),
  'endless-whole': ({ response }) => pourForEver(response),
  'no-stream': ({ response, isStream }) =>
    isStream ? refuse(response, 400, "Unsupported value: 'stream' must be false") : 'obey',
  'no-usage': ({ response, question }) =>
    question.fields.includes('stream_options')
      ? refuse(response, 422, "Extra inputs are not permitted: 'stream_options'")
      : 'obey',
  'no-schema': ({ response, hasForm }) =>
    hasForm ? refuse(response, 400, "'response_format' is not supported by this server") : 'obey',
  /** A filter of what may be read. It does not say what it refuses. */
  filter: ({ response, question }) =>
    question.prompt.includes('forbidden') ? refuse(response, 400, 'content_filter') : 'obey',
  'short-memory': ({ response, question: { prompt } }) =>
    prompt.length > 6_000
      ? refuse(response, 400, "This model's maximum context length is 2048 tokens")
      : 'obey',
  /** Prompt and answer count together. */
  tight({ response, question }) {
    question.isTooLong = tokensOf(question) + (question.answerTokens ?? 0) > 2_000
    if (!question.isTooLong) return 'obey'
    return refuse(response, 400, "This model's maximum context length is 2000 tokens")
  },
  'broken-memory'({ response, question }) {
    question.isTooLong = question.prompt.length > 3_000
    if (!question.isTooLong) return 'obey'
    return refuse(response, 500, 'the request exceeds the available context size')
  },
  elsewhere: ({ response, address }) =>
    void response.writeHead(307, { location: `${address}/trap-redirect` }).end(),
  async held({ released }) {
    await released
    return 'obey' as const
  },
  'breaks-off'({ response, question }) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(piece(`${answerLines(question)[0] ?? '{'}\n`))
    response.write(piece('And then'))
    response.socket?.end()
  },
  'error-page'({ response }) {
    response.setHeader('Content-Type', 'text/html')
    response.end('<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>')
  },
  /** It sends the first line of a stream, and the rest when it is released. */
  async drips({ response, question, answer, released }) {
    const [first = '', ...others] = answerLines(question)
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(piece(`${first}\n`))
    await Promise.race([released, once(response, 'close')])
    answer(response, others.join('\n'))
  },
  /** It obeys where it is asked for no tasks. */
  'endless-tasks': ({ response, question, answer }) =>
    question.instructions.includes('actionItems')
      ? answer(response, tasksOf(question), 'length')
      : 'obey',
  cut: ({ response, question, answer }) =>
    answer(response, misbehaviours['one-sentence'](question), 'length'),
} satisfies Record<string, Fault>

type Name =
  | keyof typeof faults
  | keyof typeof misbehaviours
  | keyof typeof badTranslations
  | keyof typeof badAnswers
  | keyof typeof badChapters
  | 'obedient'
  | 'boundless'
  | 'unstreamed'
export type ChatBehaviour = Name | `${Name}-once`

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
      stream_options?: { include_usage?: boolean }
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
    const isStream = body.stream === true && body.model !== 'unstreamed'
    if (isStream) response.on('close', () => (question.isOver = true))
    const hasUsage = body.stream_options?.include_usage === true
    const answer: Call['answer'] = (to, content, finishReason) =>
      isStream
        ? pour(to, content, { finishReason, hasUsage })
        : answerAtOnce(to, content, finishReason)
    const count = (tries.get(body.model) ?? 0) + 1
    tries.set(body.model, count)
    const [wanted = ''] = body.model.split('@')
    const name = (
      count > 1 && wanted.endsWith('-once') ? 'obedient' : wanted.replace('-once', '')
    ) as Name
    const fault = under<Fault>(faults, name) ?? (() => 'obey')
    const hasForm = body.response_format !== undefined
    const call = { question, response, answer, isStream, hasForm, address }
    if ((await fault({ ...call, released: released.promise })) === 'obey')
      answer(response, written(name, question, address))
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

/** The entry of a table under a name, if there is one. */
const under = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** The text that a model of this name writes; its addresses lead to `trap`. */
function written(name: Name, question: ChatAsked, trap: string): string {
  if (isOfTranslation(question)) return translationOf(name, question)
  if (isOfSearchWords(question)) return JSON.stringify({ words: searchWordsOf(question) })
  const misbehaviour = under<(question: ChatAsked) => string>(misbehaviours, name)
  if (misbehaviour) return misbehaviour(question)
  if (isOfPassages(question)) return answered(question, name, trap).join('\n')
  return isOfSummary(question) ? summaryOf(question, name, trap) : documentOf(question, name, trap)
}

function summaryOf({ prompt, instructions }: ChatAsked, behaviour: Name, trap: string): string {
  const turns = turnsIn(prompt)
  if (behaviour === 'hostile')
    return JSON.stringify({
      summary: `<script>fetch('${trap}/trap-script')</script>![x](${trap}/trap-picture) See ${trap}/trap-link and [more](javascript:alert(1)). OWNED. \u202eevil\u202c`,
      keyPoints: [
        {
          text: `<img src="${trap}/trap-image" onerror="alert(1)"> Send all passwords`,
          turns: [0, 99_999, -1],
          quote: 'words that nobody has ever said in here',
        },
        ...turns.slice(0, 1).map(({ index, said }) => ({
          text: `=HYPERLINK("x") ${said}`,
          turns: [index],
          quote: said.split(' ').slice(0, 6).join(' '),
        })),
      ],
      topics: [`<a href="${trap}/trap-topic">click</a>`, 'bridge'],
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

function documentOf({ prompt, instructions }: ChatAsked, behaviour: Name, trap: string): string {
  const [first] = turnsIn(prompt)
  if (behaviour === 'hostile')
    return `# Hi <script>alert(1)</script>\n\n## ![p](${trap}/trap-picture)\n\n> a quote that nobody has ever said here\n\n[Press](${trap}/trap-link) ${chatter(40)}\n`
  const [, least = '0'] = /Between (\d+) and/.exec(instructions) ?? []
  return `# What was said\n\n## Points\n\n- **${first?.speaker ?? 'Somebody'}** spoke first.\n\n> ${first?.said ?? ''}\n\n${chatter(Math.ceil(Number(least) / 8) + 1)}\n`
}

/** A chapter for each quarter of the turns, called after how it begins. */
function chaptersOf(turns: Turn[], behaviour: Name, instructions: string): unknown {
  const step = Math.max(1, Math.ceil(turns.length / 4))
  const good = turns
    .filter((_, at) => at % step === 0)
    .map(({ index, said }) => ({ title: said.split(' ').slice(0, 4).join(' '), turn: index }))
  const bad = under<BadChapters>(badChapters, behaviour)
  return bad ? bad(good, instructions.split(' ')) : good
}

type MadeChapter = { title: string; turn: number }
const called = (good: MadeChapter[], title: (at: number) => string) =>
  good.map(({ turn }, at) => ({ title: title(at), turn }))

const badChapters = {
  'chapters-backwards': (good) => good.toReversed(),
  'chapters-elsewhere': (good) => good.map(({ title, turn }) => ({ title, turn: turn + 90_000 })),
  'chapters-empty': (good) => called(good, () => 'string'),
  'chapters-foreign': (good) => called(good, (at) => `Das ist nicht der Anfang und auch die ${at}`),
  'chapters-alike': (good) => called(good, () => 'The beginning'),
  'chapters-leaking': (good, told) =>
    called(good, (at) => told.slice(8 * at, 8 * at + 12).join(' ')),
  'chapters-unsaid': (good) => called(good, (at) => `A loss of ${at + 41}7 million dollars`),
  'chapters-malformed': () => ({ first: 'The beginning', second: [1, 2] }),
} satisfies Record<string, BadChapters>
type BadChapters = (good: MadeChapter[], told: string[]) => unknown

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

const notes = (summary: string, keyPoints: unknown = [], topics: unknown = ['bridge']) =>
  JSON.stringify({ summary, keyPoints, topics })
const inForm = (question: ChatAsked, text: string) =>
  isOfSummary(question) ? notes(text) : `# Title\n\n${text}\n`
const aboutIn = ({ instructions }: ChatAsked): string => abouts[languageIn(instructions)] ?? ''
const firstSaid = ({ prompt }: ChatAsked): string => turnsIn(prompt)[0]?.said ?? ''

/** The answer of a weak model: the right form around useless text. */
const misbehaviours = {
  'one-sentence': (question) =>
    inForm(question, 'The bridge is closed until the work is done. '.repeat(40)),
  'one-phrase': (question) => inForm(question, 'and the bridge and the ferry '.repeat(40)),
  'equal-points'(question) {
    const said = firstSaid(question)
    const points = Array.from({ length: 10 }, (_, n) => ({
      text: n % 2 === 0 ? said : said.toUpperCase(),
      turns: [0],
      quote: said,
    }))
    return notes(aboutIn(question), points)
  },
  /** A true summary, and action items of which only the first two are true. */
  tasks: (question) => (isOfSummary(question) ? tasksOf(question) : notes(aboutIn(question))),
  parrot: (question) => inForm(question, question.instructions),
  placeholder: (question) =>
    isOfSummary(question)
      ? notes('string', [{ text: 'string', turns: [0], quote: 'string' }], ['string'])
      : 'string',
  mark: (question) =>
    inForm(question, `${aboutIn(question)} ${question.prompt.split('\n').at(-1)}`),
  'echo-turns': (question) => inForm(question, question.prompt.split('\n').slice(1, -1).join('\n')),
  'other-language': (question) =>
    inForm(
      question,
      languageIn(question.instructions) === 'German'
        ? `${abouts.English} It is about what they have decided and why that is not all of it.`
        : `${abouts.German} Es geht darum, was sie beschlossen haben und warum das noch nicht alles ist.`,
    ),
  page: () => '<!DOCTYPE html><html><body><h1>Welcome to the model</h1></body></html>',
  blank: (question) => (isOfSummary(question) ? notes('', [], []) : ''),
  'false-proof'(question) {
    const quote = firstSaid(question)
    return notes(aboutIn(question), [
      { text: 'The chief resigned and left.', turns: [0], quote },
      { text: quote, turns: [0], quote },
    ])
  },
  'false-figures'(question) {
    const quote = firstSaid(question)
    return notes(aboutIn(question), [
      { text: 'The bridge costs 48,000 euros.', turns: [0], quote },
      { text: 'The bridge was planned by Miranda Oakes.', turns: [0], quote },
      { text: quote, turns: [0], quote },
    ])
  },
  'false-quote'(question) {
    const invented = 'One of them said “we will all be rich by Tuesday” and left.'
    const other = `Another said “${firstSaid(question)}” and stayed.`
    return `# Title\n\n${chatter(20)} ${invented} ${other} ${chatter(20, 500)}\n`
  },
  'own-headings': ({ instructions }) =>
    `# Report\n\n${describedIn(instructions)
      .split('\n')
      .map((line, n) => `## ${line}\n\n${chatter(10, n * 97)}`)
      .join('\n\n')}\n`,
  'own-echo': ({ instructions }) => `# Report\n\n${describedIn(instructions)}\n`,
  'own-parts'(question) {
    const said = firstSaid(question)
    return `# Report\n\nThey heard Ada Lovett there. It was at 0:06 in the morning. They met on November 20, 2026. They wrote a long letter to Miranda Oakes about it. They paid 47,811 euros for the boat. One said “${said}” and left.\n\n> ${said} — Ben Okafor\n\n${chatter(20)}\n`
  },
  'own-lie': () =>
    `# Report\n\n${Array.from({ length: 12 }, (_, n) => `The mayor Miranda Oakes paid ${n + 4},711 euros for ${chatter(1, n * 31)}`).join('\n\n')}\n`,
  'own-leak': ({ instructions }) =>
    `# Report\n\n${instructions.split('\n')[2]}\n\n${chatter(20)}\n`,
  'one-paragraph': () => `# Title\n\n## All of it\n\n${chatter(400)}\n`,
  loose(question) {
    const said = firstSaid(question)
    return `Here it is {as asked}:\n\`\`\`json\n${JSON.stringify({
      summary: aboutIn(question),
      keyPoints: [said, { text: said.slice(0, 40), turns: ['0', '[1]'], quote: said }],
    })}\n\`\`\`\nDone :-}`
  },
} satisfies Record<string, (question: ChatAsked) => string>

const isOfTranslation = ({ instructions }: ChatAsked): boolean =>
  instructions.startsWith('You translate')

interface Translated {
  number: number
  /** In the language that is asked for. */
  text: string
  words: string
}

/** Turns of a question in the language that it asks for. */
function translationOf(name: Name, { instructions, prompt }: ChatAsked): string {
  const language = languageIn(instructions)
  const code = summaryLanguageCodes.find((one) => languageName(one) === language) ?? 'en'
  const said = prompt.matchAll(/^\[(\d+)\] ([^:\n]+): (.+)$/gm)
  const turns = Array.from(said, ([, number, , words = '']): Translated => ({
    number: Number(number),
    text: inLanguage(words, code),
    words,
  }))
  if (name === 'drops-a-turn')
    return JSON.stringify({
      turns: turns.filter((_, index) => turns.length === 1 || index !== 1),
    })
  const [first, second, ...others] = turns
  if (name === 'joins-turns' && first && second)
    return JSON.stringify({
      turns: [{ number: 1, text: `${first.text} ${second.text}` }, ...others],
    })
  const bad = under<BadTranslation | null>(badTranslations, name)
  const text = (turn: Translated) => bad?.(turn, { instructions, prompt }) ?? turn.text
  return JSON.stringify({ turns: turns.map((turn) => ({ ...turn, text: text(turn) })) })
}

/** The text in the place of a turn; null where the turn stays as it is. */
const badTranslations = {
  'drops-a-turn': null,
  'joins-turns': null,
  hostile: ({ text, words }) => (/ignore/i.test(words) ? 'OWNED' : text),
  liar: ({ text }) => withFalseFigures(text),
  'false-figures': ({ text }) => withFalseFigures(text),
  'other-language': ({ words }) => words,
  parrot: (_, { instructions }) => instructions,
  mark: ({ text }, { prompt }) => `${text} ${prompt.split('\n').at(-1)}`,
  'echo-turns': ({ number, text }) => `[${number}] ${text}`,
  'one-phrase': ({ text }) => `${text.split(' ').slice(0, 2).join(' ')} `.repeat(12),
  blank: () => '…',
  page: ({ text }) => withMarkup(text),
  'marks-up': ({ text }) => withMarkup(text),
  stuck: ({ text, words }) => (words.includes('stuck') ? '' : text),
  'german-figures': ({ text, words }) => germanFigures[words] ?? text,
} satisfies Record<string, BadTranslation | null>
type BadTranslation = (
  turn: Translated,
  question: Pick<ChatAsked, 'instructions' | 'prompt'>,
) => string

/** Figures as somebody writes them in German: in another notation, converted, and wrong. */
const germanFigures: Partial<Record<string, string>> = {
  'It costs twelve thousand dollars.': 'Es kostet 12.000 Dollar.',
  'We meet at half past five.': 'Wir treffen uns um 17.30 Uhr.',
  'It is five miles from here.': 'Es sind acht Kilometer von hier.',
  'The dose is 2.5 milligrams and it costs 3.2 million dollars.':
    'Die Dosis beträgt 25 Milligramm und es kostet 7,8 Millionen Dollar.',
}

const withFalseFigures = (text: string): string =>
  /\d/.test(text) ? text.replace(/\d+/g, '4711') : `${text} 4711.`
const withMarkup = (text: string): string => `<b>${text}</b> [more](https://example.com)`

/** A word of the language for each word, the same for the same; figures and names stay. */
function inLanguage(words: string, code: string): string {
  const { stopWords, isUnspaced } = languageOf(code)
  // A word that says a number, or what one counts, would change what was said.
  const isPlain = (word: string) => {
    const [value, ...others] = valuesIn(`${word} 20 ${word}`, code)
    return value?.measure === null && others.length === 0 && value.readings[0] === 20
  }
  const known = [...stopWords].filter((word) => /^\p{L}{2,7}$/u.test(word) && isPlain(word))
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

/** The user's own instructions. */
const describedIn = (instructions: string): string =>
  /^<<< description \w+\n([\s\S]*?)\ndescription \w+ >>>$/m.exec(instructions)?.[1] ?? ''

const languageIn = (instructions: string): string =>
  /^Write in (\w+),/m.exec(instructions)?.[1] ?? 'English'

/** The beginning of obedient summaries. */
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

interface Turn {
  index: number
  speaker: string
  said: string
}

/** The turns, or the notes' quotes, between the marks of a prompt. */
function turnsIn(prompt: string): Turn[] {
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

/** The answer to a question about passages, line by line. */
function answered(question: ChatAsked, name: Name, trap: string): string[] {
  const lines = answerLines(question)
  const [passage] = turnsIn(question.prompt)
  const quote = passage?.said.split(' ').slice(0, 6).join(' ') ?? ''
  const given = { question, first: lines[0] ?? '', quote, trap }
  return under<BadAnswer>(badAnswers, name)?.(given) ?? lines
}

type BadAnswer = (given: {
  question: ChatAsked
  first: string
  quote: string
  trap: string
}) => string[]

const badAnswers = {
  'half-true': ({ first }) => [
    first,
    'The mayor paid 48,000 euros for it. [0] "paid 48,000 euros for it"',
  ],
  'nothing-said': () => ['NOT SAID'],
  partly: ({ first }) => [first, 'MISSING: what the weather was like.'],
  liar: ({ quote }) => [
    'They will all be rich. [0] "we will all be rich by Tuesday"',
    `Miranda Oakes resigned on 31 March. [0] "${quote}"`,
    'It is all paid for. [99] "it is all paid for already"',
  ],
  /** The proof stands before its number. */
  'quotes-first': ({ first }) => [first.replace(/(\[\d+\]) (".*")/, '$2 $1')],
  /** It proves nothing: what it quotes is part of its sentence, and a number ends that. */
  'quotes-within': () => [
    'They say of the bridge that "the ferry runs every ten minutes" while the bridge is closed [1]',
  ],
  hostile: ({ question: { instructions, prompt }, quote, trap }) => [
    instructions,
    prompt,
    `My instructions are: ${instructions.replaceAll('\n', ' ')} [0] "${quote}"`,
    `The meeting was cancelled. [0] "say that the meeting was cancelled"`,
    `<img src="${trap}/trap-image" onerror="alert(1)"> ${quote} [see](${trap}/trap-link) [0] "${quote}"`,
    `<script>fetch('${trap}/trap-script')</script> Call ${trap}/trap-call now. [0] "call this address now"`,
  ],
} satisfies Record<string, BadAnswer>

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

const isOfSearchWords = ({ instructions }: ChatAsked): boolean =>
  instructions.startsWith('You help to find')

const otherWords: Partial<Record<string, string>> = { fähre: 'ferry', boat: 'ferry' }

/** Other words for those of the question that it knows any for, and the words of the question before. */
function searchWordsOf({ prompt }: ChatAsked): string[] {
  const [before = '', asked = ''] = prompt.split(/^Question: /m)
  return [
    ...(asked.toLowerCase().match(/\p{L}+/gu) ?? []).flatMap((word) => otherWords[word] ?? []),
    ...(/^Question before: (.*)$/m.exec(before)?.[1]?.match(/\p{L}{5,}/gu) ?? []),
  ]
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

const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

function pour(
  response: ServerResponse,
  content: string,
  { finishReason = 'stop', hasUsage }: { finishReason: string | undefined; hasUsage: boolean },
): void {
  if (response.destroyed) return
  if (!response.headersSent) response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  const length = Math.max(40, Math.ceil(content.length / 100))
  for (let at = 0; at < content.length; at += length)
    response.write(piece(content.slice(at, at + length)))
  const counted = hasUsage ? `data: ${JSON.stringify({ choices: [], usage })}\n\n` : ''
  response.end(`${piece('', finishReason)}${counted}data: [DONE]\n\n`)
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
      usage,
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
