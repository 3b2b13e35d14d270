/**
 * The pages of links, for people without an account. They ask who somebody is only so as not to count
 * the owner's own visits.
 */
import { isDeepStrictEqual } from 'node:util'

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'

import * as renders from '#features/cuts/renders.ts'
import { requireThere } from '#features/cuts/veiled-sound.ts'
import { type ExportFormatName, captionFormats, endingOf } from '#features/exports/formats.ts'
import * as media from '#features/recordings/media.ts'
import type { Template } from '#server/pages.ts'
import { whileConnected } from '#server/request-body.ts'
import { rate } from '#server/limits.ts'
import { networkOf } from '#server/network.ts'
import { sendInRanges } from '#server/send-in-ranges.ts'
import type { Storage } from '#server/storage.ts'
import type { RunOptions, Task, Threads } from '#server/threads.ts'
import { contentDisposition } from '#shared/file-names.ts'
import { Refusal } from '#shared/refusals.ts'

import { formatWith, isReadInPlace } from './files.ts'
import { task } from './in-thread.ts'
import * as openings from './openings.ts'
import { type PageFacts, plainPageOf } from './page.ts'
import { isRight } from './passwords.ts'
import type { ViewRequest } from './shown.ts'
import * as sharing from './sharing.ts'
import { type SoundFiles, soundFiles } from './sound.ts'
import { isSigned, sharePath, sign } from './tokens.ts'

export interface PageDeps extends sharing.Deps {
  storage: Storage
  threads: Threads
  /** The built pages by name; empty before they are built. */
  templates: ReadonlyMap<string, Template>
  /** A folder for files that are made on the way. */
  workRoot: string
}

const HOUR_MS = 3_600_000
/** How long an address of a recording is good. */
const RECORDING_MS = 6 * HOUR_MS
/** How long a browser need not type the password of a link again. */
const OPENED_MS = 7 * 24 * HOUR_MS
const LONGEST_PASSWORD = 200
const LONGEST_FORM = 4_096
/** Requests of one link that wait for a thread; an owner's own work is in another lane. */
const MOST_WAITING = 200
/** A picture takes tenths of a second; its libraries may take long to load on a busy machine. */
const PICTURE_MS = 60_000
/** Word and PDF of twelve hours take seconds; on a machine that is busy, many. */
const FILE_MS = 120_000

/**
 * The status of a page that shows nothing. `refused` is for a network that asked for too many
 * addresses.
 */
const statuses = { ended: 410, unknown: 404, refused: 429 } as const

type Request = FastifyRequest<{
  Params: { name: string; signature?: string }
  Querystring: { save?: unknown }
}>

/** A link that is open to the visitor. */
interface Opened {
  token: string
  found: sharing.Found
  reply: FastifyReply
}

const never = { headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Cache-Control': 'no-store' } }

export const sharePageRoutes: FastifyPluginAsync<PageDeps> = async (app, deps) => {
  const { db, clock, publicUrl, secretKey, templates, threads, storage } = deps
  const misses = rate('too_many_attempts', [{ most: 60, seconds: 600 }])
  const tries = rate('too_many_attempts', [{ most: 30, seconds: 600 }])
  // A visitor who invents another browser each time leaves a row each time.
  const visitors = rate('too_many_attempts', [{ most: 60, seconds: 24 * 3_600 }])
  const files = rate('too_many_exports', [{ most: 60, seconds: 60 }])
  const sounds = soundFiles(storage, deps.workRoot)
  app.addHook('onClose', sounds.close)
  app.addHook('onRequest', async (_request, reply) => void reply.headers(never.headers))
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: LONGEST_FORM },
    (_request, body, done) => done(null, new URLSearchParams(String(body))),
  )

  const page = { config: { access: 'public', knowsVisitor: true } } as const
  const open = { config: { access: 'public' } } as const

  app.get('/s/:name', page, async (request: Request, reply) => {
    const [token, ending] = splitName(request.params.name)
    const found = await findFor(request, reply, token)
    if (typeof found !== 'object') return sendEnded(request, reply, found, ending)
    const format = ending === undefined ? null : formatWith(ending)
    if (format === undefined || (format && !has(found, format)))
      return sendEnded(request, reply, 'unknown', ending)
    if (!mayRead(request, found))
      return format === null
        ? sendPassword(reply.code(200), found, token, '')
        : reply.code(401).send({
            message: 'This link has a password. Open its page, and send the cookie that it sets.',
            code: 'link_password',
          })
    return format === null
      ? sendPage(request, { token, found, reply })
      : sendFile(request, { token, found, reply, format })
  })

  app.post('/s/:name', open, async (request: Request, reply) => {
    const { name: token } = request.params
    const found = await findFor(request, reply, token)
    if (typeof found !== 'object') return sendEnded(request, reply, found)
    const { share } = found
    const typed = request.body instanceof URLSearchParams ? request.body.get('password') : null
    const password = (typed ?? '').slice(0, LONGEST_PASSWORD)
    const now = clock()
    try {
      tries.count(`${share.id}@${networkOf(request.ip)}`, now)
      if (
        share.passwordHash !== null &&
        !(await isRight(db, { share, password, ip: request.ip, now }))
      )
        return await sendPassword(reply.code(403), found, token, 'That is not the password.')
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { code, status, retryAfterSeconds: seconds = 60 } = error
      const minutes = Math.ceil(seconds / 60)
      const again =
        code === 'too_many_attempts'
          ? `Too many tries. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
          : 'Very many passwords are being tried at the moment. Try again in a few seconds.'
      return sendPassword(reply.code(status).header('Retry-After', seconds), found, token, again)
    }
    const until = new Date(now.getTime() + OPENED_MS)
    void reply.setCookie(
      cookieOf(share.id),
      sign(
        secretKey,
        { shareId: share.id, passwordHash: share.passwordHash, purpose: 'opened' },
        until,
      ),
      {
        path: '/s/',
        httpOnly: true,
        sameSite: 'lax',
        secure: publicUrl.protocol === 'https:',
        maxAge: OPENED_MS / 1000,
      },
    )
    return reply.redirect(sharePath(token), 303)
  })

  app.get('/s/:name/picture.png', open, async (request: Request, reply) => {
    const found = await findFor(request, reply, request.params.name)
    if (found === 'refused') return sendEnded(request, reply, found)
    if (typeof found !== 'object' || !mayRead(request, found))
      return sendEnded(request, reply, 'unknown')
    const { name: token } = request.params
    const withText = found.share.renderId === null
    const png = await made(
      task('picture'),
      { ...askedOf(found), withText },
      {
        token,
        found,
        reply,
        limitMs: PICTURE_MS,
        isLong: true,
      },
    )
    if (png === 'changed') return sendBack(request, reply)
    return reply.type('image/png').send(Buffer.from(png))
  })

  /** Where the recording is now: an address that is good for some hours, for this link as it is. */
  app.get('/s/:name/recording', open, async (request: Request, reply) => {
    const { name: token } = request.params
    const found = await findFor(request, reply, token)
    if (found === 'refused') return sendEnded(request, reply, found)
    if (typeof found !== 'object' || !mayRead(request, found) || !hasSound(found))
      return sendEnded(request, reply, 'unknown')
    const query = isSaved(request, found) ? '?save=1' : ''
    return reply.redirect(recordingPath(token, found) + query)
  })

  app.get('/s/:name/recording/:signature', open, async (request: Request, reply) => {
    const { name: token, signature = '' } = request.params
    const found = await findFor(request, reply, token)
    if (typeof found !== 'object') return sendEnded(request, reply, found)
    if (!isSigned(secretKey, { ...signedOf(found), purpose: 'recording' }, signature, clock()))
      return sendEnded(request, reply, 'unknown')
    if (!hasSound(found)) return sendEnded(request, reply, 'unknown')
    return sendRecording(request, reply, { ...deps, found, sounds })
  })

  /**
   * Counts addresses without a link for each network, up to a limit. A link that is there is always
   * found.
   */
  async function findFor(request: Request, reply: FastifyReply, token: string) {
    const found = await sharing.find(deps, token)
    if (found !== 'unknown') return found
    try {
      misses.count(networkOf(request.ip), clock())
      return found
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 429) throw error
      void reply.header('Retry-After', error.retryAfterSeconds ?? 60)
      return 'refused'
    }
  }

  /**
   * Makes an answer in a thread, of a link as it was found. Its turn may come late: an answer about a
   * link that has ended or was changed meanwhile is not sent.
   */
  async function made<Input, Output>(
    work: Task<Input, Output>,
    input: Input,
    { token, found, reply, ...options }: Opened & Pick<RunOptions, 'limitMs' | 'isLong'>,
  ): Promise<Output | 'changed'> {
    const making = threads.run(work, input, { ...laneOf(found, reply), ...options })
    const answer = await making.catch((error: unknown) => {
      if (error instanceof Refusal && ['not_found', 'not_finished'].includes(error.code))
        return 'changed' as const
      throw error
    })
    const now = await sharing.find(deps, token)
    const isSame = typeof now === 'object' && isDeepStrictEqual(choiceOf(now), choiceOf(found))
    return isSame ? answer : 'changed'
  }

  function mayRead(request: Request, found: sharing.Found): boolean {
    if (found.share.passwordHash === null) return true
    const cookie = request.cookies[cookieOf(found.share.id)] ?? ''
    return isSigned(secretKey, { ...signedOf(found), purpose: 'opened' }, cookie, clock())
  }

  function recordingPath(token: string, found: sharing.Found): string {
    const until = new Date(clock().getTime() + RECORDING_MS)
    const signature = sign(secretKey, { ...signedOf(found), purpose: 'recording' }, until)
    return `${sharePath(token)}/recording/${signature}`
  }

  async function sendPage(request: Request, { token, found, reply }: Opened) {
    const template = templates.get('share')
    if (!template) return sendNotBuilt(reply)
    const { share, sharedBy } = found
    const isPacked = takesGzip(request)
    const path = sharePath(token)
    const player = playerOf(found)
    const isUnderWay = isBeingVeiled(found)
    const isMade = player !== 'making' || isUnderWay || (await sharing.orderPlayed(deps, share))
    const facts: PageFacts = {
      template: template.html,
      origin: publicUrl.origin,
      path,
      sharedBy,
      player: isMade ? player : 'missing',
      file: fileOf(found),
    }
    const asked = { ...askedOf(found), withText: facts.file === null, isPacked, facts }
    const html = await made(task('page'), asked, { token, found, reply })
    if (html === 'changed') return sendBack(request, reply)
    const isVisit = request.method === 'GET' && request.user?.id !== share.userId
    if (isVisit && visitors.passes(`${share.id}@${networkOf(request.ip)}`, clock()))
      await openings.count(db, {
        shareId: share.id,
        visitor: visitorOf(request),
        secretKey,
        now: clock(),
      })
    void reply.headers({ 'Content-Security-Policy': template.policy, Vary: 'Accept-Encoding' })
    if (isPacked) void reply.header('Content-Encoding', 'gzip')
    return reply.type('text/html; charset=utf-8').send(Buffer.from(html))
  }

  async function sendFile(
    request: Request,
    { token, found, reply, format }: Opened & { format: ExportFormatName },
  ) {
    files.count(`${found.share.id}@${networkOf(request.ip)}`, clock())
    const recording = plays(found) ? `${publicUrl.origin}${recordingPath(token, found)}` : null
    const asked = { ...askedOf(found), format, recording }
    const options = { token, found, reply, limitMs: FILE_MS, isLong: true }
    const file = await made(task('file'), asked, options).catch((error: unknown) => {
      if (error instanceof Refusal && ['without_chapters', 'too_few_chapters'].includes(error.code))
        return null
      throw error
    })
    if (file === 'changed') return sendBack(request, reply)
    if (file === null) return sendEnded(request, reply, 'unknown', endingOf(format))
    return reply
      .headers({
        'Content-Disposition': isReadInPlace(format) ? 'inline' : contentDisposition(file.name),
        'Content-Security-Policy': "default-src 'none'; sandbox",
      })
      .type(file.type)
      .send(Buffer.from(file.content))
  }

  function sendPassword(
    reply: FastifyReply,
    { sharedBy }: sharing.Found,
    token: string,
    problem: string,
  ) {
    const template = templates.get('share-password')
    if (!template) return sendNotBuilt(reply)
    const values = {
      path: sharePath(token),
      sharedBy: sharedBy === '' ? 'Somebody' : sharedBy,
      problem: problem !== '' && { problemText: problem },
    }
    return reply
      .headers({
        'Content-Security-Policy': template.policy,
        // Without any referrer, the browser would not say that our own page has sent the form.
        'Referrer-Policy': 'same-origin',
      })
      .type('text/html; charset=utf-8')
      .send(plainPageOf(template.html, values))
  }

  /** One page with the same words for all, so that nobody learns why there is nothing. */
  function sendEnded(
    request: Request,
    reply: FastifyReply,
    why: keyof typeof statuses,
    ending?: string,
  ) {
    void reply.code(statuses[why])
    const words = 'This link has ended.'
    if (ending === 'json') return reply.send({ message: words, code: 'link_ended' })
    const isPage = ending === undefined && !/\/(recording|picture)/.test(request.url)
    const template = isPage ? templates.get('share-ended') : undefined
    if (!template) return reply.type('text/plain; charset=utf-8').send(`${words}\n`)
    return reply
      .header('Content-Security-Policy', template.policy)
      .type('text/html; charset=utf-8')
      .send(template.html)
  }
}

const sendNotBuilt = (reply: FastifyReply) =>
  reply
    .code(503)
    .type('text/plain; charset=utf-8')
    .send('The pages of this server are not built yet. Please run: npm run build')

const splitName = (name: string): [token: string, ending?: string] => {
  const [token = '', ...rest] = name.split('.')
  return rest.length === 0 ? [token] : [token, rest.join('.')]
}

/**
 * The name of the cookie tells the link only to a browser that has opened it, and tells nobody who
 * that is.
 */
const cookieOf = (shareId: string): string => `quoth_share_${shareId.slice(0, 8)}`

const signedOf = ({ share }: sharing.Found) => ({
  shareId: share.id,
  passwordHash: share.passwordHash,
})

const askedOf = (found: sharing.Found): ViewRequest => ({
  userId: found.share.userId,
  transcriptionId: found.share.transcriptionId,
  withNames: found.share.withNames,
  withSummary: found.share.withSummary,
  withRecording: plays(found),
  withText: true,
  cuts: found.cut.times,
})

/** All choices that decide what a visitor sees. */
const choiceOf = (found: sharing.Found) => ({
  ...askedOf(found),
  ...signedOf(found),
  player: playerOf(found),
  veil: found.veil?.mark,
})

/**
 * Everybody who opens one link is in one lane, so that a link that is famous holds up no other. All
 * links of an account count as one owner: with hundreds of them it gets no more than others do.
 */
const laneOf = ({ share }: sharing.Found, reply: FastifyReply) => ({
  owner: `links of ${share.userId}`,
  kind: `share ${share.id}`,
  most: MOST_WAITING,
  signal: whileConnected(reply),
})

/** Sends the browser to the same address once more, which then shows the link as it is now. */
const sendBack = (request: Request, reply: FastifyReply) => reply.redirect(request.url, 303)

const fileFormats: readonly ExportFormatName[] = captionFormats

/** A link to a file has its captions at most. */
const has = ({ share }: sharing.Found, format: ExportFormatName): boolean =>
  share.renderId === null || (share.withCaptions && fileFormats.includes(format))

/** Of all that is played, a made file alone is offered to be saved. */
const isSaved = ({ query }: Request, { share }: sharing.Found): boolean =>
  share.renderId !== null && query.save === '1'

function fileOf(found: sharing.Found): PageFacts['file'] {
  const { share, cut } = found
  if (share.renderId === null || cut.file === null) return null
  const { format, sizeBytes } = cut.file
  return {
    name: sharing.nameOfFile(found, cut.file),
    format,
    sizeBytes: sizeBytes ?? 0,
    withCaptions: share.withCaptions,
    endsAt: share.endsAt,
  }
}

/** Whether there is something to play, or was. */
const hasSound = (found: sharing.Found): boolean =>
  !['none', 'making', 'missing'].includes(playerOf(found))

/** Whether its sound is being written without what is hidden for others. */
const isBeingVeiled = ({ veil }: sharing.Found): boolean =>
  veil !== null && ['making', 'unsure'].includes(veil.state)

const plays = (found: sharing.Found): boolean => ['sound', 'picture'].includes(playerOf(found))

function playerOf(found: sharing.Found): PageFacts['player'] {
  const { share, transcription, cut, veil } = found
  const { storageKey } = transcription
  if (share.renderId !== null) return cut.file?.format === 'mp4' ? 'picture' : 'sound'
  if (share.recording === 'none') return 'none'
  if (storageKey === null) return 'gone'
  if (cut.times.length > 0)
    return cut.file === null ? 'making' : cut.file.format === 'mp4' ? 'picture' : 'sound'
  if (veil && veil.file === null) return isBeingVeiled(found) ? 'making' : 'missing'
  const { mediaType } = veil?.file ?? transcription
  if (mediaType === null) return 'none'
  return share.recording === 'picture' && mediaType.startsWith('video/') ? 'picture' : 'sound'
}

const visitorOf = ({ ip, headers }: FastifyRequest): openings.Visitor => ({
  ip,
  browser: headers['user-agent'] ?? '',
  purpose: String(headers['sec-purpose'] ?? headers['purpose'] ?? ''),
})

const takesGzip = ({ headers }: FastifyRequest): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\b)/.test(headers['accept-encoding'] ?? '')

async function sendRecording(
  request: Request,
  reply: FastifyReply,
  {
    db,
    storage,
    found,
    sounds,
  }: Pick<PageDeps, 'db' | 'storage'> & { found: sharing.Found; sounds: SoundFiles },
) {
  const { share, transcription, cut, veil } = found
  if (cut.file) {
    const name = isSaved(request, found) ? sharing.nameOfFile(found, cut.file) : null
    return sendInRanges(request, reply, await renders.read(storage, cut.file, name))
  }
  const { userId, transcriptionId: id } = share
  const { mediaType } = veil?.file ?? transcription
  const { storageKey: key = null } = veil ? (veil.file ?? {}) : transcription
  const isSoundOfVideo = share.recording === 'sound' && (mediaType ?? '').startsWith('video/')
  if (isSoundOfVideo && key !== null)
    return sendInRanges(request, reply, await sounds.open(key, userId))
  const recording = veil
    ? media.read(storage, { ...transcription, ...requireThere(veil), isSaved: false })
    : media.open({ db, storage }, { userId, id })
  return sendInRanges(request, reply, await recording)
}
