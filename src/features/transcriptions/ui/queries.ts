/** The queries about transcriptions, and the changes that the browser asks for. */
import {
  type DataTag,
  type InfiniteData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

import { deleteRecording } from '#features/recordings/calls.ts'
import {
  userKey,
  listKey,
  oneKey,
  isGone,
  setAvailable,
  refreshUserAndList,
} from '#features/recordings/ui/queries.ts'
import { MOST_CHOSEN, UNCONFIRMED_MINUTES, UNDELETE_MINUTES } from '#shared/business.ts'
import { counted, formatCredits } from '#shared/format.ts'
import { ask, filledIn, sentenceOf } from '#web/api.ts'
import { clearToast, toast, toastFailure } from '#web/ui/toast.tsx'

import * as calls from '../calls.ts'
import type { AgainRun, ConfirmAnswer, Transcription, TranscriptionRow } from '../contract.ts'
import { isFinished, isWorking } from '../status.ts'
import { runOf } from './again-run.ts'
import { type Watched, estimateInWords, watched } from './estimate.ts'
import { type Seen, highestPercent } from './progress.ts'
import { followReading, forgetReading } from './so-far.ts'

export const POLL_MS = 2000
/** After a failed poll the server is asked this seldom, until it answers again. */
export const LOST_POLL_MS = 15_000

/** A transcription with the percent to show; `isFresh` when it was completed on this page. */
export type Job = Transcription & {
  percent: number
  isFresh: boolean
  timeLeft: string | null
  /** What this page saw of it while it was worked on; a job that is started again is seen anew. */
  watched?: Watched | undefined
  /** Since when its owner waits for a new summary, as far as this page knows. It stays when that is there. */
  writingSinceMs?: number | undefined
}
export type JobRow = TranscriptionRow & { percent: number }

/** Defaults for fields that an answer lacks. */
const unsaid = {
  transcriptionText: null,
  summary: null,
  keyPoints: [],
  keyPointTimes: [],
  keyPointQuotes: [],
  chapters: [],
  topics: [],
  actionItems: [],
  speakers: [],
  speakerSegments: null,
  duration: 0,
  wordCount: null,
  language: null,
  engine: null,
  picture: null,
  summaryNote: null,
  summaryKind: 'summary',
  summaryPending: false,
  errorMessage: null,
  errorCode: null,
  canRetry: false,
  creditsRequired: 0,
  isSample: false,
  creditsReturned: null,
  failedAlike: 0,
  recordingKeptUntil: null,
  recordingDeletedAt: null,
} satisfies Partial<Transcription>

/** Whether its owner waits for a new summary. */
const isWritten = (job: Pick<Transcription, 'summaryPending' | 'summaryAgain'> | undefined) =>
  job?.summaryPending === true && job.summaryAgain?.status === 'writing'

/** Who asks for a summary waits for it: at first it is asked for often, and later more seldom. */
function summaryPollMs(job: Job): number {
  if (!isWritten(job) || job.writingSinceMs === undefined) return LOST_POLL_MS
  const waitedMs = Date.now() - job.writingSinceMs
  return Math.min(LOST_POLL_MS, Math.max(POLL_MS, waitedMs / 5))
}

function tellOfSummary(before: Job, now: Transcription): void {
  if (!before.summaryPending || now.summaryPending) return
  const isAsked = isWritten(before)
  const isNew = isAsked ? now.summaryAgain?.status === 'written' : before.summary !== now.summary
  const title = isAsked ? 'The new summary is there' : 'A better summary is there'
  if (isNew) toast({ title, description: now.originalName })
}

/**
 * One transcription, polled every 2 s while it is worked on. After a failed poll, and while only a
 * better summary is awaited, it is asked more seldom.
 */
export const transcriptionQuery = (id: string) =>
  queryOptions({
    queryKey: oneKey(id),
    queryFn: async ({ client, signal }): Promise<Job> => {
      const before = client.getQueryData<Job>(oneKey(id))
      const now = filledIn(await ask(calls.getTranscription, { params: { id }, signal }), unsaid)
      const hasFinished = before !== undefined && isWorking(before.status) && isFinished(now.status)
      if (hasFinished) {
        // Removes the toast 'Processing Started', which is not true any more.
        clearToast()
        const balance = client.invalidateQueries({ queryKey: userKey })
        void client.invalidateQueries({ queryKey: listKey })
        // A failure is told with the balance, which has its credits again.
        if (now.status === 'error') await balance
      }
      if (before) tellOfSummary(before, now)
      const run = before && runOf(before)
      if (run && run.id !== runOf(now)?.id) void endRun(client, now, run)
      followReading(client, now, before?.status)
      const isFresh = now.status === 'completed' && (hasFinished || before?.isFresh === true)
      const atMs = Date.now()
      const seen = isWorking(now.status) ? watched(before?.watched, now.status, atMs) : undefined
      const timeLeft = estimateInWords(seen?.last ?? null, atMs)
      const begun = isWritten(now) && !isWritten(before) ? atMs : before?.writingSinceMs
      const percent = percentOf(client, now)
      return { ...now, percent, isFresh, watched: seen, timeLeft, writingSinceMs: begun }
    },
    refetchInterval: ({ state: { data, error } }) => {
      if (!data) return false
      // The run of a new text is asked how far it is by its own id, and this seldom.
      if (data.again && isWorking(data.again.status)) return LOST_POLL_MS
      if (!isWorking(data.status))
        return data.summaryPending && !(error && isGone(error)) ? summaryPollMs(data) : false
      if (!error) return POLL_MS
      return isGone(error) ? false : LOST_POLL_MS
    },
    // Polls in the background too, because the title of the tab shows the percent.
    refetchIntervalInBackground: true,
    refetchOnReconnect: ({ state: { data, error } }) =>
      error || (data && isWorking(data.status)) ? 'always' : false,
    // It may have been given another text, or name, on another device.
    refetchOnWindowFocus: 'always',
  })

/**
 * Work on a recording that has a text has ended, whichever poll was the first to tell: its own, or
 * that of its recording, which does not name it any more. It is asked how it ended, and all that
 * belongs to the text is loaded anew.
 */
async function endRun(
  client: QueryClient,
  { id }: Transcription,
  { id: runId }: AgainRun,
): Promise<void> {
  refreshUserAndList(client)
  await client
    .fetchQuery({
      ...transcriptionQuery(runId),
      staleTime: ({ state: { data } }) => (data && isFinished(data.status) ? Infinity : 0),
    })
    // A user who stopped it knows.
    .catch(() => null)
  // Later rooms keep what they ask of it under addresses that begin so.
  const begin = `${oneKey(id)[0]}/`
  await client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => String(path).startsWith(begin),
  })
}

/** Card and library show one percent for one job: the highest that either has seen. */
export function percentOf(
  client: QueryClient,
  { id, status }: { id: string; status: string },
): number {
  const key = ['highest percent', id]
  const percent = highestPercent(client.getQueryData<Seen>(key), status)
  client.setQueryData<Seen>(key, { status, percent })
  return percent
}

/** The running ones, and one list of finished ones for each search and order. */
type Listed = JobRow[] | InfiniteData<ListPage>
export interface ListPage {
  rows: JobRow[]
  /** Where the next page begins; null after the last. */
  next: string | null
  /** How many rows match in all. */
  total: number
  /** In how many places the words of a search were said; null where nothing was searched for. */
  places: number | null
}

/** Changes the rows of all lists, which then are as many as the change leaves. */
export function changeRows(client: QueryClient, change: (rows: JobRow[]) => JobRow[]): void {
  const isOfRows = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    queryKey[1] === 'open' || queryKey[1] === 'finished'
  client.setQueriesData<Listed>({ queryKey: listKey, predicate: isOfRows }, (listed) => {
    if (!listed || Array.isArray(listed)) return listed && change(listed)
    const pages = listed.pages.map((page) => {
      const rows = change(page.rows)
      return { ...page, rows, total: page.total - (page.rows.length - rows.length) }
    })
    return { ...listed, pages }
  })
}

const takeOutOfList = (client: QueryClient, ids: readonly string[]): void =>
  changeRows(client, (rows) => rows.filter(({ id }) => !ids.includes(id)))

/**
 * Marks it as stale. If it were removed, a card that is still leaving would ask for it and get 404.
 */
function forget(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: oneKey(id), refetchType: 'none' })
}

/** Says what was confirmed: one file or several. */
export const sayStarted = ({ creditsDeducted, creditsRemaining }: ConfirmAnswer): void =>
  toast({
    title: 'Processing Started',
    description: `${formatCredits(creditsDeducted)} deducted. ${formatCredits(creditsRemaining)} remaining.`,
  })

/** Shows a job that was just queued as started, before the server is asked again. */
async function showStarted(client: QueryClient, id: string, answer: ConfirmAnswer): Promise<void> {
  // An answer that is on its way may be from before: it would show the price again, and stay.
  await client.cancelQueries({ queryKey: oneKey(id) })
  forgetReading(client, id)
  void import('#features/recordings/ui/recording/shelf.ts')
    .then(({ forgetConfirmed }) => forgetConfirmed([id]))
    .catch(() => undefined)
  const status = 'processing'
  const percent = percentOf(client, { id, status })
  client.setQueryData<Job>(
    oneKey(id),
    (job) =>
      job && {
        ...job,
        status,
        percent,
        errorMessage: null,
        errorCode: null,
        creditsReturned: null,
        isFresh: false,
      },
  )
  // Its row offers no more to confirm it, before the list is asked for anew.
  changeRows(client, (rows) =>
    rows.map((row) => (row.id === id ? { ...row, status, percent } : row)),
  )
  setAvailable(client, answer.creditsRemaining)
  refreshUserAndList(client)
  sayStarted(answer)
}

/** Confirms the price. When the upload is gone, `onGone` closes the dialog. */
export function useConfirm({ onGone }: { onGone: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, summaryLanguage }: Pick<Transcription, 'id' | 'summaryLanguage'>) =>
      ask(calls.confirmTranscription, { params: { id }, body: { summaryLanguage } }),
    onSuccess: (answer, { id }) => showStarted(client, id, answer),
    onError: (error, { id }) => {
      toastFailure('Confirmation Failed', isGone(error) ? expired : sentenceOf(error))
      refreshUserAndList(client)
      if (isGone(error)) onGone()
      else void client.invalidateQueries({ queryKey: oneKey(id) })
    },
  })
}

const expired = `This upload is no longer there: it was cancelled, or it waited longer than ${UNCONFIRMED_MINUTES} minutes. Nothing was charged. Please upload the file again.`

/** An upload or a transcription that is gone already is what was asked for. */
function unlessGone(error: unknown): void {
  if (!isGone(error)) throw error
}

/** Cancels an upload or stops a running job. The credits that were held are given back. */
export function useCancel({ onCancelled }: { onCancelled: (id: string) => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<Transcription, 'id'>) =>
      ask(calls.cancelTranscription, { params: { id } }).catch(unlessGone),
    onMutate: ({ id }) => client.cancelQueries({ queryKey: oneKey(id) }),
    onSuccess: (_, { id }) => {
      toast({
        title: 'Upload Cancelled',
        description: 'File has been removed and no credits were charged.',
      })
      onCancelled(id)
      takeOutOfList(client, [id])
      forget(client, id)
      refreshUserAndList(client)
    },
    onError: (error, { id }) => {
      toastFailure('Cancel Failed', sentenceOf(error))
      void client.invalidateQueries({ queryKey: oneKey(id) })
      refreshUserAndList(client)
    },
  })
}

/**
 * Starts a failed job again with a new hold, or in another language. A refusal is shown where the
 * button is.
 */
export function useRetry() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({
      id,
      spokenLanguage: language,
    }: Pick<Transcription, 'id'> & { spokenLanguage?: string }) =>
      ask(calls.retryTranscription, { params: { id }, body: { language } }),
    onSuccess: (answer, { id }) => showStarted(client, id, answer),
    onError: (_, { id }) => {
      void client.invalidateQueries({ queryKey: oneKey(id) })
      refreshUserAndList(client)
    },
  })
}

/** Opens the free sample: a finished transcription, made when a user first asks for it. */
export function useOpenSample({ onOpened }: { onOpened: (id: string) => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ask(calls.openSample),
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: listKey })
      onOpened(id)
    },
  })
}

/** Why the sample could not be opened; null while there is nothing to say. */
export const openSampleSentence = (error: unknown): string | null =>
  error ? sentenceOf(error) : null

/**
 * Deletes a finished transcription. It leaves the page at once, and can be brought back for some
 * minutes. The toast with "Undo" stays a little longer than others.
 */
export function useDelete({ onDeleted }: { onDeleted: (id: string) => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<Transcription, 'id' | 'originalName'>) =>
      ask(calls.deleteTranscription, { params: { id } }).catch(unlessGone),
    onMutate: ({ id }) => {
      takeOutOfList(client, [id])
      onDeleted(id)
    },
    onSuccess: (_, { id, originalName }) => {
      forget(client, id)
      void client.invalidateQueries({ queryKey: listKey })
      noteDeleted(client, [{ id, name: originalName }])
      toast({
        title: 'Deleted',
        description: `${originalName} is no longer in your library.`,
        durationMs: UNDO_MS,
        action: { label: 'Undo', onPress: () => void bringBack(client, [id]) },
      })
    },
    onError: (error) => {
      void client.invalidateQueries({ queryKey: listKey })
      toastFailure('Not deleted', deleteSentence(error))
    },
  })
}

const UNDO_MS = 8000

/** Asks for what was deleted, which answers what is back. */
async function undo(client: QueryClient, ask: () => Promise<string>): Promise<void> {
  try {
    toast({ title: 'Back in your library', description: await ask() })
  } catch (error) {
    const why = isGone(error) ? 'It was deleted for good in the meantime.' : sentenceOf(error)
    toastFailure('Could not undo', why)
  }
  void client.invalidateQueries({ queryKey: listKey })
}

/** The toast names one, and counts several. */
async function bringBack(client: QueryClient, ids: readonly string[]): Promise<void> {
  await undo(client, async () => {
    const back = await askBack(ids)
    forgetDeleted(client, ids)
    return back
  })
}

async function askBack([id = '', ...others]: readonly string[]): Promise<string> {
  if (others.length === 0)
    return (await ask(calls.undeleteTranscription, { params: { id } })).originalName
  let count = 0
  for (let rest = [id, ...others]; rest.length > 0; rest = rest.slice(MOST_CHOSEN)) {
    const body = { ids: rest.slice(0, MOST_CHOSEN) }
    count += (await ask(calls.undeleteTranscriptions, { body })).restored.length
  }
  return inRecordings(count)
}

interface DeletedLately {
  id: string
  /** Null for one of many. */
  name: string | null
}

const deletedKey = ['deleted lately'] as DataTag<['deleted lately'], DeletedLately[]>

/** For as long as the server can bring it back, or until the page is loaded anew. */
function noteDeleted(client: QueryClient, deleted: readonly DeletedLately[]): void {
  // Nobody reads it on other pages: it would be dropped there.
  client.setQueryDefaults(deletedKey, { gcTime: Infinity })
  client.setQueryData(deletedKey, (all = []) => [...all, ...deleted])
  const ids = deleted.map(({ id }) => id)
  setTimeout(() => forgetDeleted(client, ids), UNDELETE_MINUTES * 60_000)
}

const forgetDeleted = (client: QueryClient, ids: readonly string[]) =>
  client.setQueryData(deletedKey, (all = []) => all.filter(({ id }) => !ids.includes(id)))

/** What was deleted on this page and can still be brought back. */
export function useDeletedLately() {
  const client = useQueryClient()
  const { data = [] } = useQuery({ queryKey: deletedKey, queryFn: (): DeletedLately[] => [] })
  const ids = data.map(({ id }) => id)
  return { deleted: data, onBringBack: () => void bringBack(client, ids) }
}

/** "3 recordings" */
export const inRecordings = (count: number): string => counted(count, 'recording')

/** Deletes many at once, and brings all of them back with one "Undo". */
export function useDeleteMany({ onDeleted }: { onDeleted: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (ids: readonly string[]) =>
      ask(calls.deleteTranscriptions, { body: { ids: [...ids] } }),
    onSuccess: ({ deleted }) => {
      takeOutOfList(client, deleted)
      for (const id of deleted) forget(client, id)
      void client.invalidateQueries({ queryKey: listKey })
      onDeleted()
      noteDeleted(
        client,
        deleted.map((id) => ({ id, name: null })),
      )
      toast({
        title: 'Deleted',
        description: `${inRecordings(deleted.length)} ${deleted.length === 1 ? 'is' : 'are'} no longer in your library.`,
        durationMs: UNDO_MS,
        ...(deleted.length === 0
          ? {}
          : { action: { label: 'Undo', onPress: () => void bringBack(client, deleted) } }),
      })
    },
  })
}

/** Another name, shown everywhere at once. */
export function useRename({ onRenamed }: { onRenamed: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string }) =>
      ask(calls.renameTranscription, { params: { id }, body: { name } }),
    onSuccess: ({ id, originalName }) => {
      client.setQueryData<Job>(oneKey(id), (job) => job && { ...job, originalName })
      void client.invalidateQueries({ queryKey: listKey })
      onRenamed()
    },
  })
}

/** When it was recorded; null: nobody knows. The days of its action items are counted anew. */
export function useSetRecordedAt({ onSet }: { onSet: (recordedAt: string | null) => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, recordedAt }: Pick<TranscriptionRow, 'id' | 'recordedAt'>) =>
      ask(calls.renameTranscription, { params: { id }, body: { recordedAt } }),
    onSuccess: async ({ id, recordedAt }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: oneKey(id) }),
        client.invalidateQueries({ queryKey: listKey }),
      ])
      onSet(recordedAt)
    },
  })
}

/** Deletes the recording of a finished transcription; what was made from it stays. */
export function useDeleteRecording({ onDeleted }: { onDeleted: () => void }) {
  const client = useQueryClient()
  const refresh = (id: string) =>
    Promise.all([
      client.invalidateQueries({ queryKey: oneKey(id) }),
      client.invalidateQueries({ queryKey: listKey }),
    ])
  return useMutation({
    mutationFn: ({ id }: Pick<Transcription, 'id' | 'status'>) =>
      ask(deleteRecording, { params: { id } }),
    onSuccess: async (_, { id, status }) => {
      // Waits until the page shows that the recording is gone, then the dialog closes.
      await refresh(id)
      onDeleted()
      toast({
        title: 'Recording deleted',
        ...(status === 'completed' ? { description: 'The text and the summary stay.' } : {}),
      })
    },
    onError: (_, { id }) => void refresh(id),
  })
}

export const deleteSentence = (error: unknown): string =>
  isGone(error) ? 'This transcription is not there any more.' : sentenceOf(error)

/** Why a refused retry was refused; null while there is nothing to say. */
export const retrySentence = (error: unknown): string | null => (error ? sentenceOf(error) : null)
