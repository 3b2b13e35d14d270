/** What the browser changes of the action items. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'

import { oneKey } from '#features/recordings/ui/queries.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

import { addActionItem, changeActionItem, deleteActionItem, undeleteActionItem } from '../calls.ts'
import type { ActionItem, AddAction, ChangeAction } from '../contract.ts'

type Act =
  | { kind: 'set'; item: ActionItem; change: ChangeAction }
  /** Before the one with this id; null: to the end. */
  | { kind: 'move' | 'bring back'; item: ActionItem; before: string | null }
  | { kind: 'delete'; item: ActionItem }

const UNDO_MS = 8_000

/**
 * Changes what is there at once. Changes of one transcription are sent one after the other; when one
 * fails, what it changed is undone, and a toast offers to try again.
 */
export function useActions(id: string) {
  const client = useQueryClient()
  const mutationKey = ['action items', id]
  const mutation = useMutation({
    mutationKey,
    scope: { id: `action items of ${id}` },
    mutationFn: (act: Act): Promise<unknown> => {
      const params = { id, itemId: act.item.id }
      switch (act.kind) {
        case 'set':
          return ask(changeActionItem, { params, body: act.change })
        case 'move':
          return ask(changeActionItem, { params, body: { before: act.before } })
        case 'delete':
          return ask(deleteActionItem, { params })
        case 'bring back':
          return ask(undeleteActionItem, { params })
      }
    },
    onMutate: async (act: Act) => {
      // An answer that is on its way does not know of this change.
      await client.cancelQueries({ queryKey: oneKey(id) })
      const after = nextOf(client, id, act.item)
      if (act.kind === 'delete') takeOut(client, id, act.item)
      else if (act.kind === 'set') put(client, id, { ...act.item, ...shownOf(act) })
      else place(client, id, act.item, act.before)
      return { after }
    },
    onSuccess: (answer, act, { after }) => {
      if (act.kind === 'delete')
        toast({
          title: 'Deleted',
          description: act.item.text,
          durationMs: UNDO_MS,
          action: {
            label: 'Undo',
            onPress: () => mutation.mutate({ kind: 'bring back', item: act.item, before: after }),
          },
        })
      // A later change is on its way, and the page shows it already.
      else if (client.isMutating({ mutationKey }) <= 1) put(client, id, answer as ActionItem)
    },
    onError: (error, act, was) => {
      if (act.kind === 'bring back') takeOut(client, id, act.item)
      else if (act.kind === 'set') put(client, id, act.item)
      else place(client, id, act.item, was?.after ?? null)
      toast({
        title: 'Not saved. Your change was undone.',
        description: sentenceOf(error),
        variant: 'destructive',
        action: { label: 'Try again', onPress: () => mutation.mutate(act) },
      })
    },
  })
  return mutation.mutate
}

/** Adds one. Why it could not be added is said in the form. */
export function useAddAction(id: string, { onAdded }: { onAdded: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (words: AddAction) => ask(addActionItem, { params: { id }, body: words }),
    onSuccess: (item) => {
      put(client, id, item)
      onAdded()
    },
  })
}

/** What is shown before the server has answered: it knows whether somebody of that name speaks. */
function shownOf({ item, change }: Extract<Act, { kind: 'set' }>): Partial<ActionItem> {
  const { who = item.who, dueDate = item.dueDate } = change
  return {
    ...change,
    ...(who === item.who ? {} : { speaker: null }),
    ...(dueDate === item.dueDate ? {} : { due: null }),
  }
}

function put(client: QueryClient, id: string, item: ActionItem): void {
  change(client, id, (items) =>
    items.some((one) => one.id === item.id)
      ? items.map((one) => (one.id === item.id ? item : one))
      : [...items, item],
  )
}

/** Puts it before the one with this id, or at the end. */
function place(client: QueryClient, id: string, item: ActionItem, before: string | null): void {
  change(client, id, (items) => {
    const others = items.filter((one) => one.id !== item.id)
    const to = others.findIndex((one) => one.id === before)
    return others.toSpliced(to < 0 ? others.length : to, 0, item)
  })
}

/** The id of the one that stands after it. */
function nextOf(client: QueryClient, id: string, item: ActionItem): string | null {
  const { actionItems = [] } = client.getQueryData<Shown>(oneKey(id)) ?? {}
  const at = actionItems.findIndex((one) => one.id === item.id)
  return at < 0 ? null : (actionItems[at + 1]?.id ?? null)
}

interface Shown {
  actionItems: ActionItem[]
}

const takeOut = (client: QueryClient, id: string, item: ActionItem): void =>
  change(client, id, (items) => items.filter((one) => one.id !== item.id))

function change(
  client: QueryClient,
  id: string,
  work: (items: ActionItem[]) => ActionItem[],
): void {
  client.setQueryData<Shown>(
    oneKey(id),
    (job) => job && { ...job, actionItems: work(job.actionItems) },
  )
}
