/**
 * Several files on their way to one confirm. It lives outside React: files go on being sent while a
 * result is looked at. Two are sent at a time, from the moment they are chosen.
 *
 * Confirm does not wait for the sending. Once all that was confirmed has arrived, one call takes it,
 * all or none. What the server refuses meanwhile falls out and says why; what it measured to another
 * price is asked about again, and the others begin.
 */
import type { QueryClient } from '@tanstack/react-query'

import type { LastOptions } from '#features/recordings/contract.ts'
import { noOptions } from '#features/recordings/ui/options.ts'
import {
  isGone,
  localDurationQuery,
  pathOf,
  refreshUserAndList,
  setAvailable,
} from '#features/recordings/ui/queries.ts'
import { KEEP, sendFile } from '#features/recordings/ui/send-file.ts'
import type { ConfirmAnswer, Transcription } from '#features/transcriptions/contract.ts'
import { DEFAULT_SUMMARY_LANGUAGE, MAX_BATCH, type SummaryLanguage } from '#shared/business.ts'
import { ApiError, call, get, post, sentenceOf } from '#web/api.ts'
import { forgetShared } from '#web/shared-origin.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { type Line, isChosen, keyOf, lineOf, lineOfArrived, priceOf } from './lines.ts'

const AT_ONCE = 2
const READING_AT_ONCE = 3

/** What the rows of the bill are made of, and what stands under them. */
export interface BatchView {
  lines: readonly Line[]
  /** `waiting`: confirmed, and not all has arrived. `asking`: the server is being asked. */
  phase: 'bill' | 'waiting' | 'asking'
  /** What the last choice brought that was not taken. */
  note: string | null
  /** Why the last confirm was refused. */
  problem: string | null
}

interface Deps {
  client: QueryClient
  onConfirmed: (batchId: string | null, files: number) => void
  /** Nothing is left in the list. */
  onEmpty: () => void
  say: (words: string) => void
}

type Waiting = Pick<Transcription, 'id' | 'originalName' | 'duration' | 'creditsRequired'>

export type Batch = ReturnType<typeof openBatch>

export function openBatch({ client, onConfirmed, onEmpty, say }: Deps) {
  let view: BatchView = { lines: [], phase: 'bill', note: null, problem: null }
  const listeners = new Set<() => void>()
  const running = new Map<string, AbortController>()
  let reading = 0
  let isPaused = false
  let hasLeft = false
  /** Taken out on this page: a list that is asked for meanwhile may still have them. */
  const removed = new Set<string>()
  const asked: { summaryLanguage: SummaryLanguage; options: LastOptions } = {
    summaryLanguage: DEFAULT_SUMMARY_LANGUAGE,
    options: noOptions,
  }

  function change(next: Partial<BatchView>): void {
    view = { ...view, ...next }
    for (const listener of listeners) listener()
  }
  const update = (key: string, next: Partial<Line>) =>
    change({ lines: view.lines.map((line) => (line.key === key ? { ...line, ...next } : line)) })

  function goOn(): void {
    if (hasLeft) return
    for (const line of view.lines) {
      if (!isChosen(line) || !line.file) continue
      if (line.seconds === 'reading' && reading < READING_AT_ONCE && !readingKeys.has(line.key))
        void readLength(line.key, line.file)
      const waits = !line.arrived && !running.has(line.key) && line.trouble === null
      if (waits && !isPaused && running.size < AT_ONCE) void send(line.key, line.file)
    }
    void confirmArrived()
  }

  const readingKeys = new Set<string>()
  async function readLength(key: string, file: File): Promise<void> {
    reading += 1
    readingKeys.add(key)
    const seconds = await client.fetchQuery(localDurationQuery(file)).catch(() => null)
    reading -= 1
    readingKeys.delete(key)
    update(key, { seconds })
    goOn()
  }

  async function send(key: string, file: File): Promise<void> {
    const stop = new AbortController()
    running.set(key, stop)
    const { signal } = stop
    try {
      const answer = await sendFile({
        file,
        summaryLanguage: DEFAULT_SUMMARY_LANGUAGE,
        // Said with the confirm, for all of them.
        options: noOptions,
        document: null,
        signal,
        onProgress: (sent) => {
          if (!signal.aborted) update(key, { sent })
        },
      })
      if (signal.aborted) return await dropArrived(answer.transcriptionId)
      const { transcriptionId: id, creditsRequired: credits } = answer
      update(key, { sent: null, arrived: { id, credits } })
      setAvailable(client, answer.creditsAvailable)
      refreshUserAndList(client)
    } catch (error) {
      if (signal.aborted) return
      const why = whyNotSent(error)
      update(key, { sent: null, ...why })
      if (why.refusal) say(`${file.name}: ${why.refusal}`)
      // The account is in the way, and would be in the way of the next file too.
      if (error instanceof ApiError && [401, 402, 429, 507].includes(error.status)) isPaused = true
    } finally {
      running.delete(key)
      goOn()
    }
  }

  /** It arrived in the moment in which its row was taken away. */
  async function dropArrived(id: string): Promise<void> {
    await call('DELETE', `${pathOf(id)}/cancel`).catch(() => undefined)
    refreshUserAndList(client)
  }

  /** One call for all that was confirmed, when the last of them has arrived. */
  async function confirmArrived(): Promise<void> {
    if (view.phase !== 'waiting') return
    const confirmed = view.lines.filter((line) => line.agreed !== null && isChosen(line))
    // What is in the way of one is in the way of all. It is said, and asked about again.
    if (confirmed.some(({ trouble }) => trouble !== null))
      return change({ phase: 'bill', lines: withoutAgreement() })
    if (confirmed.some(({ arrived }) => !arrived)) return
    const ready = confirmed.filter(({ arrived, agreed }) => arrived?.credits === agreed)
    const ids = ready.flatMap(({ arrived }) => arrived?.id ?? [])
    const [first] = ids
    if (first === undefined) return change({ phase: 'bill' })
    change({ phase: 'asking' })
    const { summaryLanguage, options } = asked
    const creditsRequired = ready.reduce((sum, { agreed }) => sum + (agreed ?? 0), 0)
    try {
      const body = { ids, summaryLanguage, ...options, creditsRequired }
      const answer = await post<ConfirmAnswer>('/api/batches/confirm', body)
      setAvailable(client, answer.creditsRemaining)
      toast({
        title: 'Processing Started',
        description: `${answer.creditsDeducted} credits deducted. ${answer.creditsRemaining} credits remaining.`,
      })
      const keys = new Set(ready.map(({ key }) => key))
      for (const id of ids) removed.add(id)
      const batchId = await get<Transcription>(pathOf(first)).then(
        (row) => row.batchId ?? null,
        () => null,
      )
      change({ phase: 'bill', lines: view.lines.filter(({ key }) => !keys.has(key)) })
      refreshUserAndList(client)
      onConfirmed(batchId, ids.length)
      if (view.lines.length === 0) onEmpty()
    } catch (error) {
      const gone = new Set(refusedIn(error).map(({ id }) => id))
      if (isGone(error)) for (const id of ids) gone.add(id)
      change({
        phase: 'bill',
        problem: sentenceOf(error),
        lines: withoutAgreement().map((line) =>
          line.arrived && gone.has(line.arrived.id)
            ? { ...line, refusal: 'It is no longer there. Please choose it again.' }
            : line,
        ),
      })
      refreshUserAndList(client)
    }
  }

  const withoutAgreement = () => view.lines.map((line) => ({ ...line, agreed: null }))

  async function remove(keys: readonly string[]): Promise<void> {
    const gone = view.lines.filter(({ key }) => keys.includes(key))
    const lines = view.lines
      .filter(({ key }) => !keys.includes(key))
      // It may have been in the way of the others.
      .map((line) => ({ ...line, trouble: null }))
    change({ lines, note: null, problem: null })
    for (const { key } of gone) running.get(key)?.abort()
    isPaused = false
    if (view.lines.length === 0) onEmpty()
    for (const line of gone) {
      const { arrived, file } = line
      if (file) void forgetShared(file)
      if (!arrived) continue
      removed.add(arrived.id)
      try {
        await call('DELETE', `${pathOf(arrived.id)}/cancel`)
      } catch (error) {
        if (isGone(error)) continue
        removed.delete(arrived.id)
        change({ lines: [...view.lines, line] })
        toastFailure('Cancel Failed', sentenceOf(error))
      }
    }
    refreshUserAndList(client)
    goOn()
  }

  return {
    view: () => view,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    add(files: readonly File[]): void {
      const known = new Set(view.lines.map(({ key }) => key))
      const taken: Line[] = []
      let twice = 0
      for (const file of files) {
        const key = keyOf(file)
        if (known.has(key)) twice += 1
        else taken.push(lineOf(file))
        known.add(key)
      }
      const room = MAX_BATCH - view.lines.length
      const more = Math.max(0, taken.length - room)
      const lines = [...view.lines, ...taken.slice(0, room)]
      const notes = [
        twice > 0 ? 'Already in this list.' : '',
        more > 0
          ? `Too many files. ${MAX_BATCH} can be confirmed together; ${more} ${more === 1 ? 'was' : 'were'} left out.`
          : '',
      ].filter((words) => words !== '')
      const note = notes.length > 0 ? notes.join(' ') : null
      isPaused = false
      change({ lines, note, problem: null })
      if (note) say(note)
      goOn()
    },

    /** What arrived and was not confirmed, as the list of the server has it. */
    addArrived(rows: readonly Waiting[]): void {
      const known = new Set(view.lines.flatMap(({ arrived }) => arrived?.id ?? []))
      const lines = rows.filter(({ id }) => !known.has(id) && !removed.has(id)).map(lineOfArrived)
      if (lines.length > 0)
        change({
          lines: [...view.lines, ...lines].slice(0, Math.max(MAX_BATCH, view.lines.length)),
        })
    },

    remove,

    /** Sends again what has stopped. */
    tryAgain(): void {
      isPaused = false
      change({ lines: view.lines.map((line) => ({ ...line, trouble: null })) })
      goOn()
    },

    /** The prices that stand in the rows are agreed to. */
    confirm(of: { summaryLanguage: SummaryLanguage; options: LastOptions }): void {
      Object.assign(asked, of)
      isPaused = false
      const agree = (line: Line) => (isChosen(line) ? { agreed: priceOf(line), trouble: null } : {})
      change({
        phase: 'waiting',
        problem: null,
        note: null,
        lines: view.lines.map((line) => ({ ...line, ...agree(line) })),
      })
      goOn()
    },

    isSending: () => view.lines.some((line) => isChosen(line) && line.file && !line.arrived),

    /** The page is left: what has arrived of a file is kept for the next try. */
    leave(): void {
      hasLeft = true
      for (const stop of running.values()) stop.abort(KEEP)
      listeners.clear()
    },
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
