/**
 * Several files on their way to one confirm. It lives outside React: files go on being sent while a
 * result is looked at. Two are sent at a time, from the moment they are chosen.
 *
 * Confirming does not wait for the sending. Once all confirmed files have arrived, one call
 * confirms them on the server, all or none. A file that the server has refused by then is left out
 * and says why. A file whose price turns out to be another one is asked about again, and the others
 * begin.
 */
import type { QueryClient } from '@tanstack/react-query'

import type { OrderDocument } from '#features/documents/contract.ts'
import type { LastOptions } from '#features/recordings/contract.ts'
import { noOptions } from '#features/recordings/ui/options.ts'
import {
  isGone,
  localDurationQuery,
  refreshUserAndList,
  setAvailable,
} from '#features/recordings/ui/queries.ts'
import { sameQuery } from '#features/recordings/ui/same-query.ts'
import { forgetConfirmed } from '#features/recordings/ui/recording/shelf.ts'
import { KEEP, sendFile } from '#features/recordings/ui/send-file.ts'
import {
  cancelTranscription,
  confirmBatch,
  getTranscription,
} from '#features/transcriptions/calls.ts'
import { sayStarted } from '#features/transcriptions/ui/queries.ts'
import { DEFAULT_SUMMARY_LANGUAGE, MAX_BATCH, type SummaryLanguage } from '#shared/business.ts'
import { ApiError, ask, sentenceOf } from '#web/api.ts'
import { forgetShared } from '#web/shared-origin.ts'
import { toastFailure } from '#web/ui/toast.tsx'

import {
  type Line,
  type Waiting,
  documentCredits,
  isChosen,
  keyOf,
  lineOf,
  lineOfArrived,
  priceOf,
} from './lines.ts'

const AT_ONCE = 2
const READING_AT_ONCE = 3

/** The rows of the bill, and the words under them. */
export interface BatchView {
  lines: readonly Line[]
  /** `waiting`: confirmed, and not all has arrived. `asking`: the server is being asked. */
  phase: 'bill' | 'waiting' | 'asking'
  /** The files of the last choice that were not taken, in words. */
  note: string | null
  /** Why the last confirm was refused. */
  problem: string | null
}

interface Deps {
  client: QueryClient
  userId: string
  onConfirmed: (batchId: string | null, ids: readonly string[]) => void
  /** Nothing is left in the list. */
  onEmpty: () => void
  say: (words: string) => void
}

type Rows = ReturnType<typeof createRows>

interface BatchChoices {
  summaryLanguage: SummaryLanguage
  options: LastOptions
  /** One of each file. */
  document: OrderDocument | null
}

export type Batch = ReturnType<typeof openBatch>

export function openBatch(deps: Deps) {
  const { onEmpty, say } = deps
  const rows = createRows()
  const asked: BatchChoices = {
    summaryLanguage: DEFAULT_SUMMARY_LANGUAGE,
    options: noOptions,
    document: null,
  }
  /** Taken out on this page: a list that is asked for meanwhile may still have them. */
  const removed = new Set<string>()
  const sender = createSender(deps, rows, () => void confirmArrived(deps, rows, { asked, removed }))
  return {
    view: rows.view,
    subscribe: rows.subscribe,

    add(files: readonly File[]): void {
      const { lines, note } = withFiles(rows.view().lines, files)
      rows.change({ lines, note, problem: null })
      if (note) say(note)
      sender.goOn({ isFresh: true })
    },

    /** Adds files that arrived and were not confirmed, as the list of the server has them. */
    addArrived(arrived: readonly Waiting[]): void {
      const { lines } = rows.view()
      const known = new Set(lines.flatMap((line) => line.arrived?.id ?? []))
      const more = arrived.filter(({ id }) => !known.has(id) && !removed.has(id)).map(lineOfArrived)
      if (more.length > 0)
        rows.change({ lines: [...lines, ...more].slice(0, Math.max(MAX_BATCH, lines.length)) })
    },

    async remove(keys: readonly string[]): Promise<void> {
      const { lines } = rows.view()
      const left = lines.filter(({ key }) => !keys.includes(key))
      // The file that is taken out may have been in the way of the others.
      rows.change({ lines: withoutTrouble(left), note: null, problem: null })
      sender.stop(keys)
      if (left.length === 0) onEmpty()
      for (const line of lines.filter(({ key }) => keys.includes(key)))
        await drop(rows, { line, removed })
      refreshUserAndList(deps.client)
      sender.goOn()
    },

    /** What is there already is to be transcribed once more. */
    again(key: string): void {
      rows.update(key, { isAgain: true })
      sender.goOn({ isFresh: true })
    },

    /** Sends again what has stopped. */
    tryAgain(): void {
      rows.change({ lines: withoutTrouble(rows.view().lines) })
      sender.goOn({ isFresh: true })
    },

    /** The prices that stand in the rows are agreed to. */
    confirm(of: BatchChoices): void {
      Object.assign(asked, of)
      const agree = (line: Line) => (isChosen(line) ? { agreed: priceOf(line), trouble: null } : {})
      rows.change({
        phase: 'waiting',
        problem: null,
        note: null,
        lines: rows.view().lines.map((line) => ({ ...line, ...agree(line) })),
      })
      sender.goOn({ isFresh: true })
    },

    /** The page is left: what has arrived of a file is kept for the next try. */
    leave(): void {
      sender.leave()
      rows.tellNobody()
    },
  }
}

/** The rows of the bill, and who is told when they change. */
function createRows() {
  let view: BatchView = { lines: [], phase: 'bill', note: null, problem: null }
  const listeners = new Set<() => void>()
  function change(next: Partial<BatchView>): void {
    view = { ...view, ...next }
    for (const listener of listeners) listener()
  }
  return {
    view: () => view,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    change,
    update: (key: string, next: Partial<Line>) =>
      change({ lines: view.lines.map((line) => (line.key === key ? { ...line, ...next } : line)) }),
    tellNobody: () => listeners.clear(),
  }
}

/** Reads how long the files of the rows are, and sends them. `onStep` hears of each step. */
function createSender({ client, userId, say }: Deps, rows: Rows, onStep: () => void) {
  const running = new Map<string, AbortController>()
  const reading = new Set<string>()
  /** What is asked about, or was, whether it is there already. */
  const compared = new Map<string, boolean>()
  let isPaused = false
  let hasLeft = false

  /** With `isFresh` also after something was in the way of all files. */
  function goOn({ isFresh = false } = {}): void {
    if (hasLeft) return
    if (isFresh) isPaused = false
    for (const line of rows.view().lines) {
      if (line.refusal !== null || !line.file) continue
      if (line.seconds === 'reading' && reading.size < READING_AT_ONCE && !reading.has(line.key))
        void readLength(line.key, line.file)
      if (!compared.has(line.key)) void compare(line.key, line.file)
      const isKnown = compared.get(line.key) === true
      const waits =
        isKnown &&
        isChosen(line) &&
        !line.arrived &&
        !running.has(line.key) &&
        line.trouble === null
      if (waits && !isPaused && running.size < AT_ONCE) void send(line.key, line.file)
    }
    onStep()
  }

  /** Before anything of it is sent. Where nobody answers, it is told when it has arrived. */
  async function compare(key: string, file: File): Promise<void> {
    compared.set(key, false)
    const same = await client.fetchQuery(sameQuery(file)).catch(() => null)
    compared.set(key, true)
    rows.update(key, { same })
    goOn()
  }

  async function readLength(key: string, file: File): Promise<void> {
    reading.add(key)
    const seconds = await client.fetchQuery(localDurationQuery(file)).catch(() => null)
    reading.delete(key)
    rows.update(key, { seconds })
    goOn()
  }

  async function send(key: string, file: File): Promise<void> {
    const stop = new AbortController()
    running.set(key, stop)
    const { signal } = stop
    try {
      const answer = await sendFile({
        userId,
        file,
        summaryLanguage: DEFAULT_SUMMARY_LANGUAGE,
        // Said with the confirm, for all of them.
        options: noOptions,
        document: null,
        signal,
        onProgress: (sent) => {
          if (!signal.aborted) rows.update(key, { sent })
        },
      })
      if (signal.aborted) return await dropArrived(client, answer.transcriptionId)
      const { transcriptionId: id, creditsRequired: credits, levels, recordedAt = null } = answer
      const same = answer.sameAs ?? null
      rows.update(key, { sent: null, arrived: { id, credits, levels, recordedAt }, same })
      setAvailable(client, answer.creditsAvailable)
      refreshUserAndList(client)
    } catch (error) {
      if (signal.aborted) return
      const why = whyNotSent(error)
      rows.update(key, { sent: null, ...why })
      if (why.refusal) say(`${file.name}: ${why.refusal}`)
      // The account is in the way, and would be in the way of the next file too.
      if (error instanceof ApiError && [401, 402, 429, 507].includes(error.status)) isPaused = true
    } finally {
      running.delete(key)
      goOn()
    }
  }

  return {
    goOn,
    /** Sends these no more; the others may go on. */
    stop(keys: readonly string[]): void {
      for (const key of keys) {
        running.get(key)?.abort()
        // It is compared once more if it is chosen again.
        compared.delete(key)
      }
      isPaused = false
    },
    leave(): void {
      hasLeft = true
      for (const stop of running.values()) stop.abort(KEEP)
    },
  }
}

/** It arrived in the moment in which its row was taken away. */
async function dropArrived(client: QueryClient, id: string): Promise<void> {
  await ask(cancelTranscription, { params: { id } }).catch(() => undefined)
  refreshUserAndList(client)
}

/** Cancels what a row had sent. Where that fails, the row is there again. */
async function drop(
  rows: Rows,
  { line, removed }: { line: Line; removed: Set<string> },
): Promise<void> {
  const { arrived, file } = line
  if (file) void forgetShared(file)
  if (!arrived) return
  removed.add(arrived.id)
  try {
    await ask(cancelTranscription, { params: { id: arrived.id } })
  } catch (error) {
    if (isGone(error)) return
    removed.delete(arrived.id)
    rows.change({ lines: [...rows.view().lines, line] })
    toastFailure('Cancel Failed', sentenceOf(error))
  }
}

/** One call for all that was confirmed, when the last of them has arrived. */
async function confirmArrived(
  deps: Deps,
  rows: Rows,
  { asked, removed }: { asked: BatchChoices; removed: Set<string> },
): Promise<void> {
  const { lines, phase } = rows.view()
  if (phase !== 'waiting') return
  const confirmed = lines.filter((line) => line.agreed !== null && isChosen(line))
  // A trouble with one stops all of them. It is said, and the user is asked again.
  if (confirmed.some(({ trouble }) => trouble !== null))
    return rows.change({ phase: 'bill', lines: withoutAgreement(lines) })
  if (confirmed.some(({ arrived }) => !arrived)) return
  const ready = confirmed.filter(({ arrived, agreed }) => arrived?.credits === agreed)
  const ids = ready.flatMap(({ arrived }) => arrived?.id ?? [])
  const [first] = ids
  if (first === undefined) return rows.change({ phase: 'bill' })
  rows.change({ phase: 'asking' })
  const { summaryLanguage, options, document } = asked
  const creditsRequired = ready.reduce(
    (sum, line) => sum + (line.agreed ?? 0) + documentCredits(line, document !== null),
    0,
  )
  try {
    const order = document === null ? {} : { document }
    const body = { ids, summaryLanguage, ...options, ...order, creditsRequired }
    const answer = await ask(confirmBatch, { body })
    setAvailable(deps.client, answer.creditsRemaining)
    sayStarted(answer)
    // The server keeps them from now on.
    void forgetConfirmed(ids).catch(() => undefined)
    const keys = new Set(ready.map(({ key }) => key))
    for (const id of ids) removed.add(id)
    const batchId = await ask(getTranscription, { params: { id: first } }).then(
      (row) => row.batchId ?? null,
      () => null,
    )
    rows.change({ phase: 'bill', lines: rows.view().lines.filter(({ key }) => !keys.has(key)) })
    refreshUserAndList(deps.client)
    deps.onConfirmed(batchId, ids)
    if (rows.view().lines.length === 0) deps.onEmpty()
  } catch (error) {
    const gone = new Set(refusedIn(error).map(({ id }) => id))
    if (isGone(error)) for (const id of ids) gone.add(id)
    rows.change({
      phase: 'bill',
      problem: sentenceOf(error),
      lines: withoutAgreement(rows.view().lines).map((line) =>
        line.arrived && gone.has(line.arrived.id)
          ? { ...line, refusal: 'It is no longer there. Please choose it again.' }
          : line,
      ),
    })
    refreshUserAndList(deps.client)
  }
}

const withoutAgreement = (lines: readonly Line[]): Line[] =>
  lines.map((line) => ({ ...line, agreed: null }))
const withoutTrouble = (lines: readonly Line[]): Line[] =>
  lines.map((line) => ({ ...line, trouble: null }))

/** The rows with one more for each new file, and what is said of those that were not taken. */
function withFiles(
  lines: readonly Line[],
  files: readonly File[],
): Pick<BatchView, 'lines' | 'note'> {
  const known = new Set(lines.map(({ key }) => key))
  const taken: Line[] = []
  let twice = 0
  for (const file of files) {
    const key = keyOf(file)
    if (known.has(key)) twice += 1
    else taken.push(lineOf(file))
    known.add(key)
  }
  const free = MAX_BATCH - lines.length
  const more = Math.max(0, taken.length - free)
  const notes = [
    twice > 0 ? 'Already in this list.' : '',
    more > 0
      ? `Too many files. ${MAX_BATCH} can be confirmed together; ${more} ${more === 1 ? 'was' : 'were'} left out.`
      : '',
  ].filter((words) => words !== '')
  return {
    lines: [...lines, ...taken.slice(0, free)],
    note: notes.length > 0 ? notes.join(' ') : null,
  }
}

interface RefusedOne {
  id: string
  code: string
}

function refusedIn(error: unknown): RefusedOne[] {
  if (!(error instanceof ApiError)) return []
  try {
    const { refused } = JSON.parse(error.body) as { refused?: RefusedOne[] }
    return refused?.filter(({ code }) => code === 'not_found') ?? []
  } catch {
    return []
  }
}

/** The file itself is refused, or something else is in the way and it may go on. */
function whyNotSent(error: unknown): Pick<Line, 'refusal' | 'trouble'> {
  const broke = 'The connection broke. What has arrived is kept: try again to send the rest.'
  const words = sentenceOf(error, error instanceof ApiError ? undefined : broke)
  const isOfFile =
    error instanceof ApiError && [400, 404, 410, 413, 415, 422].includes(error.status)
  return isOfFile ? { refusal: words, trouble: null } : { refusal: null, trouble: words }
}
