import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { inRecordings } from '#features/transcriptions/ui/queries.ts'
import { sentenceOf } from '#web/api.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmAlert, Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import type { Tags } from '../contract.ts'
import { TagDot } from './library-row.tsx'
import { type TagEdit, isSameTag, tagsQuery, useEditTags, whyNot } from './tag-queries.ts'

type Counted = Tags['tags'][number]

interface Props {
  onClose: () => void
  focusAfter: () => void
}

/** A tag that nothing has yet. */
export function NewTagDialog({ onClose, focusAfter }: Props) {
  const tags = useQuery(tagsQuery).data?.tags ?? []
  const edit = useEditTags({ onDone: onClose })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title="New tag"
      description="Then choose recordings and press Tag."
    >
      <NameForm
        name=""
        verb="Make tag"
        tags={tags}
        isPending={edit.isPending}
        error={edit.error}
        onCancel={onClose}
        onSave={(name) => edit.mutate({ kind: 'new', name })}
      />
    </Dialog>
  )
}

function NameForm({
  name: before,
  verb,
  tags,
  isPending,
  error,
  onCancel,
  onSave,
}: {
  name: string
  verb: string
  tags: readonly Counted[]
  isPending: boolean
  error: unknown
  onCancel: () => void
  onSave: (name: string) => void
}) {
  const [name, setName] = useState(before)
  const [isTried, setTried] = useState(false)
  const wanted = name.trim().replace(/\s+/g, ' ')
  const isTaken = tags.some((tag) => isSameTag(tag.name, wanted) && !isSameTag(before, wanted))
  const problem =
    wanted === ''
      ? 'A tag needs a name.'
      : isTaken
        ? 'You have a tag of this name already.'
        : whyNot(wanted, before === '' ? tags.length : 0)
  return (
    <form
      className="mt-5"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (problem === null) onSave(wanted)
      }}
    >
      <TextField
        label="Name"
        value={name}
        autoComplete="off"
        maxLength={60}
        onChange={(event) => setName(event.target.value)}
        error={isTried && problem !== null ? problem : error ? sentenceOf(error) : undefined}
      />
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" pending={isPending}>
          {verb}
        </Button>
      </DialogActions>
    </form>
  )
}

/** All tags, to be renamed or deleted. */
export function EditTagsDialog({
  onEdited,
  onClose,
  focusAfter,
}: Props & { onEdited: (edit: TagEdit) => void }) {
  const tags = useQuery(tagsQuery).data?.tags ?? []
  const [open, setOpen] = useState<{ what: 'rename' | 'delete'; tag: Counted } | null>(null)
  const edit = useEditTags({
    onDone: (done) => {
      onEdited(done)
      setOpen(null)
      if (done.kind === 'delete' && tags.length === 1) onClose()
    },
  })
  const ask = (what: 'rename' | 'delete', tag: Counted) => () => {
    edit.reset()
    setOpen({ what, tag })
  }
  if (open?.what === 'rename')
    return (
      <Dialog open onOpenChange={() => setOpen(null)} title="Rename this tag">
        <NameForm
          key={open.tag.id}
          name={open.tag.name}
          verb="Save name"
          tags={tags}
          isPending={edit.isPending}
          error={edit.error}
          onCancel={() => setOpen(null)}
          onSave={(name) =>
            edit.mutate({ kind: 'rename', id: open.tag.id, before: open.tag.name, name })
          }
        />
      </Dialog>
    )
  if (open)
    return (
      <ConfirmAlert
        title={`Delete the tag “${open.tag.name}”?`}
        description={
          open.tag.count === 0
            ? 'No recording has it.'
            : `It is taken off ${inRecordings(open.tag.count)}. The recordings stay.`
        }
        keep="Keep it"
        verb="Delete the tag"
        isPending={edit.isPending}
        onKeep={() => setOpen(null)}
        onAct={() => edit.mutate({ kind: 'delete', id: open.tag.id, before: open.tag.name })}
      >
        {edit.error ? <InlineError className="mt-4">{sentenceOf(edit.error)}</InlineError> : null}
      </ConfirmAlert>
    )
  return (
    <Dialog open onOpenChange={onClose} focusAfter={focusAfter} title="Edit tags">
      <ul className="mt-4 border-t border-rule">
        {tags.map((tag) => (
          <li key={tag.id} className="flex min-h-12 items-center gap-2 border-b border-rule">
            <TagDot colour={tag.colour} />
            <span dir="auto" className="min-w-0 flex-1 font-[650] wrap-anywhere">
              {tag.name}
            </span>
            <span className="text-small text-ink-2 tabular-nums">
              {tag.count.toLocaleString('en-US')}
              <span className="sr-only"> recordings</span>
            </span>
            <IconButton label={`Rename ${tag.name}`} onClick={ask('rename', tag)}>
              <Pencil />
            </IconButton>
            <IconButton label={`Delete ${tag.name}`} onClick={ask('delete', tag)}>
              <Trash2 />
            </IconButton>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
