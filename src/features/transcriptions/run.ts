/**
 * One job: a confirmed recording becomes a transcription, or a failure that costs nothing.
 *
 * The queue may deliver a job again: after a crash, a lost heartbeat, or an error. Each run takes
 * the lease of its row, and every write asks for that lease, so a run that lost it to another (or
 * to a cancel) changes nothing any more. No credits move here but in the transaction that stores
 * the outcome.
 *
 * Promise: one run of a job writes; an old one that wakes up changes nothing.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'

import { and, eq, notInArray, sql } from 'drizzle-orm'
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core'

import * as actionItems from '#features/action-items/action-items.ts'
import * as credits from '#features/credits/credits.ts'
import * as documents from '#features/documents/documents.ts'
import { type Row as KeptRow, everyRow } from '#features/row/row.ts'
import { type Turn, speakerBounds } from '#features/speech/contract.ts'
import * as speech from '#features/speech/speech.ts'
import * as carrying from '#features/text/carried.ts'
import * as earlierTexts from '#features/text/earlier.ts'
import { type Fixed, fix, termsSaid } from '#features/text/fixed-replacements.ts'
import { isSameName, tidyName } from '#features/text/speakers.ts'
import { turns as turnRows } from '#features/text/tables.ts'
import * as takingOver from '#features/text/taking-over.ts'
import { writeFixed } from '#features/text/text.ts'
import { checkBelowOf, doubtIn } from '#features/text/words-in-doubt.ts'
import * as vocabulary from '#features/vocabulary/vocabulary.ts'
import type { Summary, Writer } from '#features/writing/contract.ts'
import * as writing from '#features/writing/writing.ts'
import { whatIsAway } from '#server/database-away.ts'
import { type Tx, inParts } from '#server/db.ts'
import type { Log } from '#server/log.ts'
import { isDiskFull } from '#server/own-disk.ts'
import type { JobFacts } from '#server/queue.ts'
import { DOCUMENT_CREDITS } from '#shared/business.ts'
import { recordedDay } from '#shared/recorded.ts'
import { wholeSeconds } from '#shared/format.ts'

import { stages } from './tables.ts'
import * as laterSummary from './later-summary.ts'
import * as ready from './ready.ts'
import { labelOf } from './results.ts'
import { RETURNED } from './status.ts'
import { timed } from './stage-times.ts'
import { type Deps, type TranscribeJob, causeOf, toldOf } from './transcriptions.ts'
import * as unpaidJobs from './unpaid-jobs.ts'
import * as unpaidText from './unpaid-text.ts'

export interface RunDeps extends Deps {
  log: Log
  engine: speech.Engine
  /** The model that writes the summaries; without one, they are sentences of the transcript. */
  writer?: Writer
  /** For what is worked out in a thread of its own; without it, nothing is transcribed again. */
  databaseUrl?: string
  /** Folder for work in progress: one folder inside it per transcription. */
  workRoot: string
}

/**
 * `kept` names the stages that an earlier delivery has finished. `recording` lies in storage under
 * that name; it is another row's where that row's recording is worked on again.
 */
type Row = KeptRow & {
  kept: string[]
  recording: string | null
}

/** Thrown when the row was cancelled or belongs to another run: this one must write nothing more. */
class LeaseLost extends Error {
  constructor(id: string) {
    super(`transcription ${id} is no longer this run's`)
  }
}

const finished = ['completed', 'error']

/** How often a run looks whether it was cancelled while nothing else is written. */
const LEASE_CHECK_MS = 2_000

/** Runs one delivery of a job to its end. Throws where the queue ought to deliver it again. */
export async function run(
  deps: RunDeps,
  { transcriptionId, attempt }: TranscribeJob,
  { isLastAttempt, signal }: { isLastAttempt: boolean; signal: AbortSignal },
): Promise<JobFacts | void> {
  const row = await claim(deps, transcriptionId, attempt)
  // Finished by an earlier delivery, or cancelled meanwhile.
  if (!row?.recording) return

  const workDir = path.join(deps.workRoot, row.id)
  const lease = watchLease(deps, row, signal)
  const times = timed(stageStore(deps, row))
  const factsOf = (outcome: Outcome): JobFacts => ({
    outcome: outcome.kind === 'failed' ? (outcome.code ?? 'given up') : 'completed',
    engine: deps.engine.name,
    audioMs: row.durationMs,
    stages: times.took(),
  })
  try {
    await mkdir(workDir, { recursive: true })
    const kept = times.store
    const outcome = await work(deps, row, { workDir, kept, signal: lease.signal })
    await finish(deps, row, outcome)
    await rm(workDir, { recursive: true, force: true })
    return factsOf(outcome)
  } catch (error) {
    // Nothing can be read or written now, and it is not the job's fault: the queue keeps its tries.
    if (signal.aborted || whatIsAway(error)) throw error
    const now = await holderOf(deps, row)
    // Cancelled: nothing is left to do. Or run elsewhere: then the folder is the other run's.
    if (now === 'nobody') await rm(workDir, { recursive: true, force: true })
    if (now !== 'this run') return
    // The next try may be another worker's, and this one needs the room.
    if (isDiskFull(error)) await rm(workDir, { recursive: true, force: true })
    if (!isLastAttempt || isDiskFull(error)) throw error
    deps.log.error({ err: error, transcriptionId: row.id }, 'transcription given up')
    const outcome = brokenBy(String(error))
    await finish(deps, row, outcome)
    await rm(workDir, { recursive: true, force: true })
    return factsOf(outcome)
  } finally {
    lease.stop()
  }
}

/**
 * Ends a job that nobody will deliver any more, so that nobody waits or pays for it. Does nothing
 * when it has ended, or was tried again. Its folder lies where its worker died: the sweep removes it.
 */
export async function giveUp(
  deps: Omit<RunDeps, 'engine' | 'workRoot'>,
  { transcriptionId, attempt }: TranscribeJob,
  why = 'its worker died each time',
): Promise<JobFacts | void> {
  const row = await claim(deps, transcriptionId, attempt)
  if (!row) return
  deps.log.error({ transcriptionId, attempt, why }, 'transcription given up')
  await finish(deps, row, brokenBy(why))
  return { outcome: 'given up', engine: 'none', audioMs: row.durationMs }
}

/** `way` tells one cause from another, and is kept only as a digest: it may name a file. */
const brokenBy = (way: string, message = GAVE_UP): Failed => ({
  kind: 'failed',
  message,
  code: null,
  way,
})

const GAVE_UP = `Something broke on our side while this file was processed. ${RETURNED} Please try again.`

type SpeechRefusal = Extract<speech.TranscribeResult, { kind: 'refused' }>['reason']

const refusedFor: Partial<Record<string, string>> = {
  no_speech: `No speech was found in this recording. ${RETURNED}`,
  no_words: `Somebody seems to speak in this recording, but no words were understood. ${RETURNED}`,
  other_language: `Most of this does not sound like English, the only language that this server understands at the moment. ${RETURNED} If it is English all the same, transcribe it again and choose English as the spoken language. For other languages, ask whoever runs this server for a model that knows them.`,
}
/** Where its owner has said that it is English. */
const NOT_EVEN_TOLD = `Hardly a word of this could be understood as English, the only language that this server knows at the moment. ${RETURNED} For other languages, ask whoever runs this server for a model that knows them.`
/** For every other refusal. The upload was decoded once already, so the stored file was damaged since. */
const UNREADABLE = `The sound of this recording could not be read. ${RETURNED} Please check the file and upload it again.`

const NOT_AGAIN = `The recording could not be transcribed again. ${RETURNED}`
const NOT_AGAIN_FREE = 'The recording could not be transcribed again. Nothing was charged.'
const NOT_TOLD_APART =
  'The speakers could not be told apart again. Nothing was charged, and the text is as it was.'

const STALLED = `Reading this recording took too long and was given up. ${RETURNED} Please try again.`

type Outcome =
  | {
      kind: 'done'
      /** As the engine left them. */
      turns: Turn[]
      /** Of its speakers, where the file names some. */
      names: (string | null)[] | null
      fixed: Pick<Fixed, 'changed' | 'replaced'>
      /** The corrections of the text before; null where there is none. */
      carried: carrying.Carried | null
      /** Whether the engine could not write all that it heard. */
      hasFault: boolean
      isTelephone: boolean
      isNoisy: boolean
      /** Terms of the account's vocabulary that are said. */
      terms: string[]
      language: string
      engine: string
      summary: Summary
      /** The job that is to put a better summary in its place; null where none is. */
      pending: string | null
    }
  /** Words that stay, of other speakers. */
  | { kind: 'regrouped'; regrouped: carrying.Regrouped }
  | Failed

/** `code` when the recording was refused, so that nobody tries in vain. */
type Failed = { kind: 'failed'; message: string } & (
  | { code: SpeechRefusal }
  | { code: null; way: string }
)

async function claim(
  { db }: Pick<Deps, 'db'>,
  id: string,
  attempt: number,
): Promise<Row | undefined> {
  const [row] = await db
    .update(everyRow)
    // The release before wrote there how far it was.
    .set({ lease: randomUUID(), status: 'processing' })
    .where(
      and(
        eq(everyRow.id, id),
        eq(everyRow.attempt, attempt),
        notInArray(everyRow.status, finished),
      ),
    )
    .returning()
  if (!row) return undefined
  const kept = await db
    .select({ name: stages.name })
    .from(stages)
    .where(eq(stages.transcriptionId, id))
  const [before] = await db
    .select({ storageKey: everyRow.storageKey, sides: everyRow.sides })
    .from(everyRow)
    .where(eq(everyRow.id, row.againOf ?? id))
  const recording = row.storageKey ?? before?.storageKey ?? null
  const sides = row.sides ?? before?.sides ?? null
  return { ...row, kept: kept.map(({ name }) => name), recording, sides }
}

/** Everything between the claim and the outcome: no credits move, every stage is kept. */
async function work(
  deps: RunDeps,
  row: Row,
  { workDir, signal, kept }: { workDir: string; signal: AbortSignal; kept: speech.StageStore },
): Promise<Outcome> {
  if (!row.recording) throw new Error(`transcription ${row.id} has no recording to work on`)
  const recording = await deps.storage.open(row.recording)
  const show = statusWriter(deps, row)
  const before = row.againOf === null ? null : { id: row.againOf }
  const alone = { databaseUrl: deps.databaseUrl, signal }
  const speakers = speakerBounds(row.askedSpeakers ?? 'auto') ?? {}
  const channels = row.askedChannels ?? 'auto'
  // A row from before this was measured; only its sender can know.
  const isUnmeasured = row.sides === null && channels === 'people'
  const sides = isUnmeasured ? await speech.sidesOf(recording.path, signal) : row.sides
  let hasFault = (await kept.get<boolean>('fault')) ?? false
  const job = {
    path: recording.path,
    workDir,
    engine: deps.engine,
    durationMs: row.durationMs ?? 0,
    speakers,
    sides: speech.sidesHeard(sides, { ...speakers, channels }),
    onProblem(error: unknown, stage: speech.ProblemStage) {
      if (stage === 'words') hasFault = true
      tellProblem(deps, row, { error, stage })
    },
  }
  const onProgress = (progress: speech.Progress) => show(statusOf(progress))
  try {
    if (before && row.againWhat === 'speakers') {
      const told = await speech.tellSpeakersApart(job, kept, onProgress, signal)
      if (told.kind === 'refused')
        return { kind: 'failed', message: NOT_TOLD_APART, code: told.reason }
      const asked = { id: before.id, speakers: told.speakers, regions: told.regions }
      return { kind: 'regrouped', regrouped: await takingOver.regroup(asked, alone) }
    }
    const said = await speech.transcribe(
      { ...job, language: row.spokenLanguage, terms: row.terms ?? [] },
      kept,
      onProgress,
      signal,
    )
    // A later delivery finds the words, and not what went wrong on the way to them.
    if (hasFault) await kept.put('fault', true)
    // That may lie with this machine: it can be tried again.
    if (said.kind === 'refused' && said.reason === 'reading_stalled') {
      deps.log.error({ transcriptionId: row.id, why: said.reason }, 'transcription given up')
      return brokenBy(said.reason, STALLED)
    }
    if (said.kind === 'refused') {
      const isInVain = said.reason === 'other_language' && row.spokenLanguage !== null
      const message = isInVain ? NOT_EVEN_TOLD : (refusedFor[said.reason] ?? UNREADABLE)
      return { kind: 'failed', message, code: said.reason }
    }

    const { turns, names, language, engine, isTelephone, isNoisy } = said
    const wanted = await vocabulary.replacementsOf(deps.db, row.userId)
    const { replacements } = wanted
    const fixed = await fix(turns, replacements)
    const carried =
      before && (await takingOver.carry({ id: before.id, turns: fixed.turns, replacements }, alone))
    const written = carried ? carried.turns : fixed.turns
    const terms = await termsSaid(written, wanted.terms)
    show('analyzing: generating summary')
    const earlier = await kept.get<Summary>('summary')
    const summary = earlier ?? (await summarize(deps, row, { ...said, turns: written }, signal))
    show('summarizing')
    if (!earlier) await kept.put('summary', summary)
    const heard = { turns, names, language, engine, isTelephone, isNoisy, hasFault }
    // Nobody waits for a model that is slow to read the words.
    const pending = summary.awaited ? randomUUID() : null
    return { kind: 'done', ...heard, fixed, carried, terms, summary, pending }
  } finally {
    await show.written()
    await recording.release()
  }
}

/** The job goes on, and its result will be poorer. The log says so, and so do the user's webhooks. */
function tellProblem(
  { db, log, onEvent }: RunDeps,
  row: Row,
  { error, stage }: { error: unknown; stage: speech.ProblemStage },
): void {
  log.warn({ err: error, stage, transcriptionId: row.id }, 'transcribed in spite of a problem')
  const { id, userId } = row
  if (!onEvent) return
  const data = { ...toldOf(row), stage }
  db.transaction((tx) => onEvent(tx, { userId, type: 'transcription.stage.failed', data })).catch(
    (failure: unknown) =>
      log.warn({ err: failure, transcriptionId: id }, 'a failed stage was not told'),
  )
}

async function summarize(
  { writer = writing.extractive }: RunDeps,
  row: Row,
  { turns, language }: { turns: Turn[]; language: string },
  signal: AbortSignal,
): Promise<Summary> {
  const said = turns.map((turn) => ({ ...turn, speaker: labelOf(turn.speaker) }))
  return writer.summarize(
    {
      turns: said,
      language,
      requestedLanguage: row.summaryLanguage,
      recordedOn: recordedDay(row.recordedAt),
    },
    { signal, isWaitedFor: true },
  )
}

type FinishDeps = Pick<RunDeps, 'db' | 'clock' | 'queue' | 'onEvent'>
type Before = Awaited<ReturnType<typeof earlierTexts.lockBefore>>

/** Stores the outcome, settles its price and forgets the stages: one transaction. */
async function finish(deps: FinishDeps, row: Row, outcome: Outcome): Promise<void> {
  const { db, clock } = deps
  await db.transaction(async (tx) => {
    const before = row.againOf === null ? null : await earlierTexts.lockBefore(tx, row.againOf)
    const hasFailed = outcome.kind === 'failed'
    // First, so that the row is locked before all else.
    await writeAs(tx, row, {
      finishedAt: clock(),
      ...writtenOf(row, { outcome, before }),
      lease: null,
      progress: null,
    })
    // A failed job keeps its stages: trying again goes on from there.
    if (!hasFailed || before) await tx.delete(stages).where(eq(stages.transcriptionId, row.id))
    // Its text is paid for, or it was not for its owner that there is none.
    if (!hasFailed || outcome.code === null) await unpaidText.forget(tx, row.id)
    await storeOutcome(tx, deps, row, { outcome, before })
  })
}

/** All that an outcome changes beside the row of its run. */
async function storeOutcome(
  tx: Tx,
  deps: FinishDeps,
  row: Row,
  { outcome, before }: { outcome: Outcome; before: Before },
): Promise<void> {
  const { clock, queue, onEvent } = deps
  const { userId, durationMs } = row
  const id = row.againOf ?? row.id
  const asked = outcome.kind === 'done' ? row.documentOrder : null
  if (outcome.kind === 'regrouped') {
    await carrying.writeRegrouped({ db: tx, clock }, tx, { userId, id, found: outcome.regrouped })
    await earlierTexts.keepAsked(tx, { id, run: row })
  }
  if (outcome.kind === 'done') {
    if (before) {
      await earlierTexts.setAside(tx, { id, keeper: row.id })
      await earlierTexts.begin(tx, { before, run: row, result: resultOf(outcome), now: clock() })
    }
    await storeTurns(tx, id, outcome.turns)
    if (outcome.fixed.replaced > 0)
      await writeFixed({ db: tx, clock }, { userId, id, ...outcome.fixed })
    const { carried } = outcome
    if (carried) await carrying.writeCarried({ db: tx, clock }, tx, { userId, id, carried })
    const { pending } = outcome
    // Its owner may have changed that while it was worked on.
    await actionItems.countAnew(tx, { id, unless: row.recordedAt })
    if (pending) await queue.add(tx, laterSummary.summaryJob, { transcriptionId: id, pending })
    await vocabulary.countUses(tx, { userId, terms: outcome.terms, now: clock() })
  }
  if (outcome.kind === 'failed' && outcome.code !== null)
    await unpaidJobs.count(tx, { userId, now: clock() })
  await credits.settle(tx, {
    userId,
    cause: causeOf(row),
    credits: outcome.kind === 'done' ? row.creditsRequired - (asked ? DOCUMENT_CREDITS : 0) : 0,
  })
  const data = { ...toldOf(row), duration: wholeSeconds(durationMs) }
  await onEvent?.(
    tx,
    outcome.kind === 'failed'
      ? { userId, type: 'transcription.failed', data: { ...data, code: outcome.code } }
      : {
          userId,
          type: 'transcription.completed',
          data: {
            ...data,
            summaryPending: outcome.kind === 'done' && outcome.pending !== null,
          },
        },
  )
  await ready.tell(tx, { queue, now: clock() }, row)
  // Settling gave back what was held for the document. It is held again, for the document's own job.
  if (asked) await documents.begin(tx, { queue, clock }, { userId, id, ...asked })
}

/** The columns that the row of a run gets when it has ended. */
function writtenOf(
  row: Row,
  { outcome, before }: { outcome: Outcome; before: Before },
): PgUpdateSetSource<typeof everyRow> {
  switch (outcome.kind) {
    case 'failed': {
      if (!before) return failureOf(outcome, row)
      const wasPaid = row.creditsRequired > 0 ? NOT_AGAIN : NOT_AGAIN_FREE
      const message = row.againWhat === 'speakers' ? NOT_TOLD_APART : wasPaid
      return failureOf({ ...outcome, message }, row)
    }
    case 'regrouped':
      return { status: 'completed' }
    case 'done':
      return before ? earlierTexts.asEarlier(before, row) : resultOf(outcome, row.chapters)
  }
}

/**
 * Each turn with the numbers of its words, so that the first correction of one turn does not have to
 * write all others.
 */
async function storeTurns(tx: Tx, transcriptionId: string, turns: readonly Turn[]): Promise<void> {
  let originalTo = 0
  const rows = turns.map((turn, position) => {
    const originalFrom = originalTo
    originalTo += turn.words.length
    return { ...turn, transcriptionId, position, originalFrom, originalTo }
  })
  for (const part of inParts(rows, 500)) await tx.insert(turnRows).values(part)
}

/** `chapters`: those that the file brought along. */
function resultOf(
  {
    turns,
    names,
    language,
    engine,
    hasFault,
    isTelephone,
    isNoisy,
    summary,
    pending,
  }: Extract<Outcome, { kind: 'done' }>,
  chapters: KeptRow['chapters'] = null,
) {
  const speakers = new Set(
    turns.map(({ speaker }) => speaker).filter((speaker) => speaker !== null),
  )
  const named = names && namedOnce(names)
  return {
    status: 'completed',
    transcriptionText: turns.map(({ text }) => text).join('\n\n'),
    language,
    engine,
    hasFault,
    isTelephone,
    isNoisy,
    wordCount: turns.reduce((sum, { words }) => sum + words.length, 0),
    wordsInDoubt: doubtIn(turns, checkBelowOf(engine))?.inDoubt ?? null,
    speakerCount: speakers.size,
    speakers: named,
    ...laterSummary.columnsOf(summary, {
      speakerCount: speakers.size,
      speakers: named,
      chapters,
    }),
    summaryPending: pending,
    failure: null,
  }
}

/** The names of a file; of two speakers with one name neither is named. */
function namedOnce(names: readonly (string | null)[]): KeptRow['speakers'] {
  const tidy = names.map((name) => (name === null ? '' : tidyName(name)))
  return tidy.map((name, speaker) => {
    const isOnly = tidy.every((other, at) => at === speaker || !isSameName(other, name))
    return { speaker, name: isOnly && name !== '' ? name : null }
  })
}

function failureOf(failed: Failed, row: Row) {
  const failure = failed.code === null ? sameAs(row.failure, failed.way) : null
  return {
    status: 'error',
    errorMessage: failure && failure.times > 1 ? failedAlike(failure.times) : failed.message,
    errorCode: failed.code,
    creditsReturned: row.creditsRequired,
    failure,
  }
}

/** How it broke, and how often it has done so the same way, one after the other. */
function sameAs(before: Row['failure'], way: string): NonNullable<Row['failure']> {
  const digest = createHash('sha256').update(way).digest('base64url')
  return { digest, times: before?.digest === digest ? before.times + 1 : 1 }
}

const failedAlike = (times: number): string =>
  `It failed ${times === 2 ? 'twice' : `${times} times`} the same way. ${RETURNED} Please tell support: the log of this server says why.`

/** Changes the row if this run still holds its lease. @throws LeaseLost */
async function writeAs(
  db: Pick<Tx, 'update'>,
  row: Row,
  values: PgUpdateSetSource<typeof everyRow>,
): Promise<void> {
  const written = await db
    .update(everyRow)
    .set(values)
    .where(isHeldBy(row))
    .returning({ id: everyRow.id })
  if (written.length === 0) throw new LeaseLost(row.id)
}

function isHeldBy(row: Row) {
  return and(eq(everyRow.id, row.id), sql`${everyRow.lease} = ${row.lease}`)
}

/**
 * Writes each status after the one before it, so that none overtakes another. One that cannot be
 * written is no reason to give the work up: the next write of a result will tell whether the row is
 * still ours.
 */
function statusWriter({ db, log }: RunDeps, row: Row) {
  let current = row.progress
  let last = Promise.resolve()
  const show = (status: string): void => {
    if (status === current) return
    current = status
    last = last
      .then(() => writeAs(db, row, { progress: status }))
      .catch((error: unknown) => {
        log.info({ err: error, transcriptionId: row.id }, 'a status was not written')
      })
  }
  return Object.assign(show, { written: () => last })
}

function statusOf(progress: speech.Progress): string {
  switch (progress.kind) {
    case 'analyzing_format':
      return 'preprocessing: analyzing file format'
    case 'converting_video':
      return 'preprocessing: converting video'
    case 'converting_opus':
      return 'preprocessing: converting OPUS'
    case 'splitting':
      return 'preprocessing: splitting large file'
    case 'checking_size':
      return 'analyzing: checking file size'
    case 'sending':
      return 'transcribing: sending to AI'
    case 'chunks':
      return 'transcribing: chunks'
    case 'chunk':
      return `processing chunk ${progress.done}/${progress.total}`
  }
}

function stageStore({ db }: RunDeps, row: Row): speech.StageStore {
  const kept = new Set(row.kept)
  return {
    async get<T>(name: string) {
      if (!kept.has(name)) return null
      const [stage] = await db
        .select({ result: stages.result })
        .from(stages)
        .where(and(eq(stages.transcriptionId, row.id), eq(stages.name, name)))
      return stage ? (stage.result as T) : null
    },
    // The row is locked while it is asked, so that nobody takes it over before the stage is there.
    async put(name, result) {
      const { rows } = await db.execute(sql`
        insert into ${stages} (transcription_id, name, result)
        select id, ${name}, ${JSON.stringify(result)}::jsonb from ${everyRow}
        where id = ${row.id} and lease = ${row.lease} for share
        on conflict (transcription_id, name) do update set result = excluded.result
        returning name`)
      if (rows.length === 0) throw new LeaseLost(row.id)
      kept.add(name)
    },
  }
}

/** A signal that fires when the worker stops or the lease is gone, whichever comes first. */
function watchLease({ db, log }: RunDeps, row: Row, stopped: AbortSignal) {
  const lost = new AbortController()
  const look = async () => {
    const [mine] = await db.select({ id: everyRow.id }).from(everyRow).where(isHeldBy(row))
    if (!mine) lost.abort(new LeaseLost(row.id))
  }
  const timer = setInterval(() => {
    // A database that is restarting is no reason to give up: the next look or write will tell.
    look().catch((error: unknown) =>
      log.warn({ err: error, transcriptionId: row.id }, 'could not look for the lease'),
    )
  }, LEASE_CHECK_MS)
  return {
    signal: AbortSignal.any([stopped, lost.signal]),
    stop: () => clearInterval(timer),
  }
}

/** The run that holds the row now; `nobody` when the row is gone. */
async function holderOf({ db }: RunDeps, row: Row): Promise<'this run' | 'another run' | 'nobody'> {
  const [found] = await db
    .select({ lease: everyRow.lease })
    .from(everyRow)
    .where(eq(everyRow.id, row.id))
  if (!found) return 'nobody'
  return found.lease === row.lease ? 'this run' : 'another run'
}
