/** The links of an account, and the changes that the browser asks for. */
import {
  type QueryClient,
  queryOptions,
  useIsMutating,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'

import { isGone, listKey } from '#features/recordings/ui/queries.ts'
import { ask, queryOf, request, sentenceOf } from '#web/api.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import {
  changeShare,
  endShare,
  listShares,
  listSharesOfTranscription,
  makeShare,
} from '../calls.ts'
import type { ChangeShare, MakeShare, Share, Shares } from '../contract.ts'

/**
 * The links to one transcription, newest first. They are opened by others meanwhile, so they are asked
 * for again wherever they are shown.
 */
export const sharesQuery = (transcriptionId: string) =>
  queryOptions({
    ...queryOf(listSharesOfTranscription, { params: { id: transcriptionId } }),
    staleTime: 0,
  })

/** All links that open something of this account. */
export const allSharesQuery = queryOptions({
  ...queryOf(listShares),
  staleTime: 0,
})

/**
 * Passwords that were set on this page, by their links. The server keeps only hashes of them, so
 * after a reload nobody can read them.
 */
const passwords = new Map<string, string>()
export const knownPassword = (id: string): string | null => passwords.get(id) ?? null

function notePassword(id: string, password: string | null | undefined): void {
  if (password === null) passwords.delete(id)
  else if (password !== undefined) passwords.set(id, password)
}

/** Changes a link wherever this page shows it; null takes it out. */
function write(client: QueryClient, id: string, change: (share: Share) => Share | null): void {
  const isList = ({ queryKey: [path] }: { queryKey: readonly unknown[] }) =>
    typeof path === 'string' && path.endsWith('/shares')
  client.setQueriesData<Shares>({ predicate: isList }, (list) => {
    if (!list) return list
    const shares = list.shares.flatMap((share) => (share.id === id ? (change(share) ?? []) : share))
    return { shares }
  })
}

/** Makes a link. Why it could not be made is said where the button is. */
export function useMakeShare(transcriptionId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (wanted: MakeShare) =>
      ask(makeShare, { params: { id: transcriptionId }, body: wanted }),
    onSuccess: (share, { password }) => {
      notePassword(share.id, password)
      client.setQueryData(sharesQuery(transcriptionId).queryKey, (list) => ({
        shares: [share, ...(list?.shares ?? [])],
      }))
      void client.invalidateQueries({ queryKey: allSharesQuery.queryKey })
      // The rows of the library say what is shared.
      void client.invalidateQueries({ queryKey: listKey })
    },
  })
}

const DAY_MS = 86_400_000

/** The fields that a change has on the page before the server has answered. */
function shownFor({ includes, cuts, days, password }: ChangeShare): Partial<Share> {
  return {
    ...(includes ? { includes } : {}),
    ...(cuts ? { cuts } : {}),
    ...(days === undefined
      ? {}
      : { endsAt: days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString() }),
    ...(password === undefined ? {} : { hasPassword: password !== null }),
  }
}

export type SaveState = 'saved' | 'saving' | 'failed'

/**
 * Changes a link at once. Changes of one link are sent one after the other; when one fails, what it
 * changed is undone, and a toast offers to try again.
 */
export function useChangeShare(share: Share, { onUndone }: { onUndone: () => void }) {
  const { id } = share
  const client = useQueryClient()
  const mutationKey = ['share', id]
  const mutation = useMutation({
    mutationKey,
    scope: { id: `share ${id}` },
    mutationFn: (change: ChangeShare) => ask(changeShare, { params: { id }, body: change }),
    onMutate: (change) => {
      const { includes, cuts, endsAt, hasPassword } = share
      const before = { includes, cuts, endsAt, hasPassword }
      const shown = shownFor(change)
      write(client, id, (now) => ({ ...now, ...shown }))
      // Only what this change touched goes back: another one may have succeeded meanwhile.
      const touched = Object.keys(shown)
      return Object.fromEntries(Object.entries(before).filter(([name]) => touched.includes(name)))
    },
    onSuccess: (now, { password }) => {
      notePassword(id, password)
      // A later change is on its way, and the page shows it already.
      if (client.isMutating({ mutationKey }) <= 1) write(client, id, () => now)
    },
    onError: (error, change, before) => {
      if (isGone(error)) {
        sayEnded(client, id)
        return
      }
      write(client, id, (now) => ({ ...now, ...before }))
      onUndone()
      toast({
        title: 'Not saved. Your change was undone.',
        description: sentenceOf(error),
        variant: 'destructive',
        action: { label: 'Try again', onPress: () => mutation.mutate(change) },
      })
    },
  })
  const isSaving = useIsMutating({ mutationKey }) > 0
  const state: SaveState = isSaving ? 'saving' : mutation.isError ? 'failed' : 'saved'
  return { change: mutation.mutate, state }
}

/** It ended in the meantime: by its time, elsewhere, or with what it showed. */
function sayEnded(client: QueryClient, id: string): void {
  write(client, id, () => null)
  void client.invalidateQueries({ queryKey: listKey })
  toast({ title: 'The link has ended.' })
}

/** Ends a link for good. */
export function useEndShare({ onEnded }: { onEnded: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Pick<Share, 'id'>) =>
      request(endShare, { params: { id } }).catch((error: unknown) => {
        // It has ended already, which is what was asked for.
        if (!isGone(error)) throw error
      }),
    onSuccess: (_, { id }) => {
      onEnded()
      sayEnded(client, id)
    },
    onError: (error) => toastFailure('The link still works.', sentenceOf(error)),
  })
}
