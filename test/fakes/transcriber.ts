/**
 * A stand-in for a server with OpenAI's transcription API. It understands the tones of
 * tiny-model.ts, in any file that ffmpeg can read, and answers as each kind of model does:
 * `whisper-1`, `gpt-4o-transcribe`, `gpt-4o-transcribe-diarize`, and two kinds of servers of one's
 * own, which know phrases only (`phrases`) or text only (`text`).
 *
 * The name of the model asks for failures, one for each try: with `whisper-1!429!503!cut` the first
 * is refused, the second fails, the third is cut off in the middle, and the fourth succeeds. `echo`
 * quotes the prompt in its error.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { hearTones, type TinyWord } from '#test/tiny-model.ts'

export interface TranscriberCall {
  model: string
  format: string
  language: string | null
  fields: string[]
  fileName: string
  sizeBytes: number
  lengthMs: number
  key: string | null
  authorization: string | null
}

export interface TranscriberFake {
  /** With its version, as OPENAI_BASE_URL. */
  url: string
  /** Every request that arrived whole, in order. */
  asked: TranscriberCall[]
  /** How often each piece of work, by its key, was worked on and so charged. */
  charged: Map<string, number>
  /** Lets every `late` answer go, now and from now on. */
  release: () => void
  close: () => Promise<void>
}

export interface TranscriberOptions {
  /** The key that every request needs; absent: none. */
  apiKey?: string
  mostBytes?: number
}

export async function transcriberFake(options: TranscriberOptions = {}): Promise<TranscriberFake> {
  const asked: TranscriberCall[] = []
  const charged = new Map<string, number>()
  const tries = new Map<string, number>()
  const remembered = new Map<string, string>()
  const released = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (!response.headersSent) refuse(response, 500, String(error))
      else response.destroy()
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    if (request.method !== 'POST' || request.url !== '/v1/audio/transcriptions')
      return refuse(response, 404, 'Invalid URL')
    const authorization = request.headers.authorization ?? null
    if (options.apiKey && authorization !== `Bearer ${options.apiKey}`)
      return refuse(response, 401, 'Incorrect API key provided', 'invalid_api_key')
    if (body.length > (options.mostBytes ?? 26_214_400))
      return refuse(response, 413, 'Maximum content size limit exceeded')

    const { fields, file, fileName } = await partsOf(body, request.headers['content-type'] ?? '')
    const one = (name: string) => fields.find(([key]) => key === name)?.[1] ?? null
    const pcm = await decoded(file)
    if (pcm.length === 0) return refuse(response, 400, 'The audio file could not be decoded')
    const key = String(request.headers['idempotency-key'] ?? `none ${asked.length}`)
    const [model = '', ...failures] = (one('model') ?? '').split('!')
    const wish: TranscriberCall = {
      model,
      format: one('response_format') ?? 'json',
      language: one('language'),
      fields: fields.map(([name, value]) => `${name}=${value}`),
      fileName,
      sizeBytes: file.length,
      lengthMs: Math.round(pcm.length / 32),
      key: request.headers['idempotency-key'] ? key : null,
      authorization,
    }
    asked.push(wish)
    const objection = objectionTo(wish)
    if (objection) return refuse(response, 400, objection, 'invalid_value')

    const attempt = tries.get(key) ?? 0
    tries.set(key, attempt + 1)
    const failure = failures[attempt] ?? ''
    const [status, retryAfter] = failure.split('~')
    if (status === '429') {
      response.setHeader('Retry-After', retryAfter ?? '0')
      return refuse(response, 429, 'Rate limit reached', 'rate_limit_exceeded')
    }
    if (status === 'broke')
      return refuse(response, 429, 'You exceeded your current quota', 'insufficient_quota')
    if (/^[45]\d\d$/.test(status ?? '')) return refuse(response, Number(status), 'It failed')
    if (failure === 'echo') {
      const sent = one('prompt') ?? ''
      return refuse(response, 403, `No: ${sent}`, `no to ${sent}`)
    }
    if (failure === 'reset') return void response.destroy()

    // The work is done here and charged, even if the answer never arrives.
    if (!remembered.has(key)) charged.set(key, (charged.get(key) ?? 0) + 1)
    const answer = remembered.get(key) ?? JSON.stringify(answerTo(wish, pcm))
    remembered.set(key, answer)
    if (failure === 'hang') return
    if (failure === 'late') await released.promise
    if (failure === 'half') return send(response, 200, JSON.stringify(halfOf(answer)))
    if (failure === 'nonsense') return send(response, 200, '<html>Welcome to the proxy</html>')
    if (failure === 'cut') {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': answer.length,
      })
      response.write(answer.slice(0, answer.length / 2), () => response.destroy())
      return
    }
    send(response, 200, answer)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    charged,
    release: () => released.resolve(),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function partsOf(body: Buffer, contentType: string) {
  const headers = { 'content-type': contentType }
  const form = await new Response(new Uint8Array(body), { headers }).formData()
  const fields: [string, string][] = []
  let file = Buffer.alloc(0)
  let fileName = ''
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value])
    else {
      file = Buffer.from(await value.arrayBuffer())
      fileName = value.name
    }
  }
  return { fields, file, fileName }
}

/** Why the request is refused: the real models refuse fields that they do not know. */
function objectionTo({ model, format, fields, lengthMs }: TranscriberCall): string | null {
  const known: Record<string, string[]> = {
    'whisper-1': ['json', 'verbose_json', 'text', 'srt', 'vtt'],
    phrases: ['json', 'verbose_json'],
    'gpt-4o-transcribe': ['json'],
    'gpt-4o-transcribe-diarize': ['json', 'diarized_json'],
    text: ['json', 'text'],
  }
  const formats = known[model]
  if (!formats) return `The model ${model} does not exist`
  if (!formats.includes(format))
    return `response_format '${format}' is not compatible with ${model}`
  const isChunked = fields.some((field) => field.startsWith('chunking_strategy='))
  if (format === 'diarized_json' && lengthMs > 30_000 && !isChunked)
    return 'chunking_strategy is required for diarization models'
  return lengthMs > 1_400_000 && model.startsWith('gpt') ? 'audio duration is too long' : null
}

interface Phrase {
  text: string
  start: number
  end: number
  speaker: string
}

/** Sentences end where nothing was said for a third of a second, and another voice begins there. */
const PHRASE_PAUSE_MS = 300
const LOW: readonly TinyWord[] = ['hello', 'world', 'this']

function answerTo({ model, format, language, fields }: TranscriberCall, pcm: Buffer): object {
  const heard = hearTones(pcm)
  const words = heard.map(({ word, startMs, endMs }) => ({
    word,
    start: startMs / 1000,
    end: endMs / 1000,
  }))
  const phrases: Phrase[] = []
  for (const [index, { word, startMs, endMs }] of heard.entries()) {
    const last = phrases.at(-1)
    const isNew = startMs - (heard[index - 1]?.endMs ?? -Infinity) >= PHRASE_PAUSE_MS
    if (last && !isNew) {
      last.text = `${last.text.slice(0, -1)} ${word}.`
      last.end = endMs / 1000
      continue
    }
    const text = `${word.charAt(0).toUpperCase()}${word.slice(1)}.`
    const speaker = LOW.includes(word) ? 'A' : 'B'
    phrases.push({ text, start: startMs / 1000, end: endMs / 1000, speaker })
  }
  const text = phrases.map((phrase) => phrase.text).join(' ')
  const duration = pcm.length / 32_000
  const usage = { type: 'duration', seconds: Math.ceil(duration) }
  if (format === 'verbose_json') {
    const isByWord = model === 'whisper-1' && fields.includes('timestamp_granularities[]=word')
    return {
      task: 'transcribe',
      language: language === 'de' ? 'german' : 'english',
      duration,
      text,
      segments: phrases.map((phrase, id) => ({
        id,
        text: ` ${phrase.text}`,
        start: phrase.start,
        end: phrase.end,
        avg_logprob: -0.2,
        no_speech_prob: 0.01,
      })),
      ...(isByWord ? { words } : {}),
      usage,
    }
  }
  if (format === 'diarized_json')
    return {
      task: 'transcribe',
      duration,
      text,
      segments: phrases.map((phrase, index) => ({
        type: 'transcript.text.segment',
        id: `seg_${index}`,
        ...phrase,
      })),
      usage,
    }
  return { text, usage }
}

/** The answer of a server that gave up in the middle: valid, but about the first half only. */
function halfOf(answer: string): object {
  const whole = JSON.parse(answer) as { duration?: number; segments?: Phrase[]; words?: object[] }
  const first = <Item>(list: Item[] | undefined) => list?.slice(0, Math.ceil(list.length / 2))
  return {
    ...whole,
    ...(whole.duration === undefined ? {} : { duration: whole.duration / 2 }),
    segments: first(whole.segments),
    words: first(whole.words),
  }
}

/** Sound that is sent again, after a failure or by another engine, is decoded once. */
const known = new Map<string, Promise<Buffer>>()

function decoded(file: Buffer): Promise<Buffer> {
  const digest = createHash('sha256').update(file).digest('hex')
  const pcm = known.get(digest) ?? decode(file)
  known.set(digest, pcm)
  return pcm
}

async function decode(file: Buffer): Promise<Buffer> {
  const args = '-v error -i pipe:0 -ac 1 -ar 16000 -f s16le pipe:1'.split(' ')
  const ffmpeg = spawn('ffmpeg', args, { stdio: ['pipe', 'pipe', 'ignore'] })
  // ffmpeg stops reading a file that is no recording, which is an error here.
  ffmpeg.stdin.on('error', () => undefined)
  ffmpeg.stdin.end(file)
  return buffer(ffmpeg.stdout)
}

function refuse(response: ServerResponse, status: number, message: string, code?: string): void {
  const type = status === 429 ? 'requests' : 'invalid_request_error'
  send(
    response,
    status,
    JSON.stringify({ error: { message, type, param: null, code: code ?? null } }),
  )
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
