/** The tags of the account, and the changes of them. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'

import { listKey, oneKey } from '#features/recordings/ui/queries.ts'
import type { Tag, TranscriptionRow } from '#features/transcriptions/contract.ts'
import { changeRows } from '#features/transcriptions/ui/queries.ts'
import { LONGEST_TAG, MOST_TAGS } from '#shared/business.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { toast } from '#web/ui/toast.tsx'

import { createTag, deleteTag, listTags, renameTag, tagTranscriptions } from '../calls.ts'
import type { Tags } from '../contract.ts'
import { NO_TAG } from './library-address.ts'

/** A part of the library's lists: what changes those may change how many have a tag. */
export const tagsQuery = queryOptions({
  queryKey: [...listKey, 'tags'],
  queryFn: ({ signal }) => ask(listTags, { signal }),
})

/** Two spellings of one tag: they differ in capitals and spaces only. */
export const isSameTag = (one: string, other: string): boolean => keyOf(one) === keyOf(other)
const keyOf = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()

/** Why there can be no tag of this name; null where there can. */
export function whyNot(name: string, tagsNow: number): string | null {
  if ([...name].length > LONGEST_TAG) return `A tag has at most ${LONGEST_TAG} letters.`
  if (isSameTag(name, NO_TAG)) return 'No tag can be called that.'
  return tagsNow >= MOST_TAGS ? `You have ${MOST_TAGS} tags, which is the most.` : null
}

export type Tagged = Pick<TranscriptionRow, 'id' | 'tags'>
export type TagState = 'all' | 'some' | 'none'

/**
 * How many of the chosen recordings have a tag. Of those that are not loaded only the tag's count
 * tells anything: when the loaded ones make it up, the others have it not.
 */
export function tagState(
  { name, count }: Pick<Tags['tags'][number], 'name' | 'count'>,
  { chosen, loaded }: { chosen: ReadonlySet<string>; loaded: readonly Tagged[] },
): TagState {
  const having = loaded.filter(({ tags }) => tags.some((tag) => isSameTag(tag.name, name)))
  const chosenHaving = having.filter(({ id }) => chosen.has(id)).length
  if (chosenHaving === chosen.size) return 'all'
  const isUnknown =
    loaded.filter(({ id }) => chosen.has(id)).length < chosen.size && count > having.length
  return chosenHaving > 0 || isUnknown ? 'some' : 'none'
}

export interface TagChange {
  ids: readonly string[]
  name: string
  /** Whether all of them get it, or none keeps it. */
  isOn: boolean
}

/** Tags many at once. The page changes at once, and changes back when the server refuses. */
export function useTagMany() {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: ({ ids, name, isOn }: TagChange) =>
      ask(tagTranscriptions, { body: { ids: [...ids], [isOn ? 'add' : 'remove']: [name] } }),
    onMutate: async ({ ids, name, isOn }) => {
      await client.cancelQueries({ queryKey: listKey })
      const known = client.getQueryData(tagsQuery.queryKey)
      const tag = known?.tags.find((one) => isSameTag(one.name, name))
      const before = new Map<string, Tag[]>()
      changeRows(client, (rows) =>
        rows.map((row) => {
          if (!ids.includes(row.id)) return row
          before.set(row.id, row.tags)
          const others = row.tags.filter((one) => !isSameTag(one.name, name))
          const shown = tag ?? { id: name, name, colour: (known?.tags.length ?? 0) % 8 }
          return { ...row, tags: isOn ? inOrder([...others, shown]) : others }
        }),
      )
      return before
    },
    onSuccess: (tags, { ids }) => {
      for (const id of ids) void client.invalidateQueries({ queryKey: oneKey(id) })
      client.setQueryData(tagsQuery.queryKey, tags)
      const now = (tag: Tag) => tags.tags.find(({ name }) => isSameTag(name, tag.name)) ?? tag
      changeRows(client, (rows) => rows.map((row) => ({ ...row, tags: row.tags.map(now) })))
      // Where the tag is a filter, rows come or go.
      void client.invalidateQueries({
        queryKey: [...listKey, 'finished'],
        predicate: ({ queryKey }) => (queryKey[2] as { tags?: string[] })?.tags?.length !== 0,
      })
    },
    onError: (error, change, before) => {
      changeRows(client, (rows) =>
        rows.map((row) => ({ ...row, tags: before?.get(row.id) ?? row.tags })),
      )
      toast({
        title: 'Not saved. Your change was undone.',
        description: sentenceOf(error),
        variant: 'destructive',
        action: { label: 'Try again', onPress: () => mutation.mutate(change) },
      })
      void client.invalidateQueries({ queryKey: tagsQuery.queryKey })
    },
  })
  return mutation
}

const inOrder = (tags: Tag[]): Tag[] => tags.toSorted((a, b) => a.name.localeCompare(b.name))

/** A new tag, another name for one, or one less; each is answered with all tags there are then. */
export type TagEdit =
  | { kind: 'new'; name: string }
  | { kind: 'rename'; id: string; before: string; name: string }
  | { kind: 'delete'; id: string; before: string }

export function useEditTags({ onDone }: { onDone: (edit: TagEdit) => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (edit: TagEdit) => {
      switch (edit.kind) {
        case 'new':
          return ask(createTag, { body: { name: edit.name } })
        case 'rename':
          return ask(renameTag, { params: { id: edit.id }, body: { name: edit.name } })
        case 'delete':
          return ask(deleteTag, { params: { id: edit.id } })
      }
    },
    onSuccess: (tags, edit) => {
      client.setQueryData(tagsQuery.queryKey, tags)
      onDone(edit)
      if (edit.kind !== 'new') void client.invalidateQueries({ queryKey: listKey })
    },
  })
}
