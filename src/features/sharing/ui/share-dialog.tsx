import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'

import { Loaded } from '#features/account/ui/loaded.tsx'
import type { MadeFile } from '#features/library/ui/later-rooms.ts'
import { transcriptionQuery } from '#features/transcriptions/ui/queries.ts'
import { Dialog } from '#web/ui/dialog.tsx'

import type { Share } from '../contract.ts'
import { LinkPart } from './link-part.tsx'
import { sharesQuery } from './queries.ts'
import { TextPart } from './text-part.tsx'

/** Gives a finished transcription away: by a link, or as its text. Of a made file, by a link to that alone. */
export function ShareDialog({
  id,
  file = null,
  onClose,
  focusAfter,
}: {
  id: string
  file?: MadeFile | null
  onClose: () => void
  focusAfter: () => void
}) {
  const transcription = useQuery(transcriptionQuery(id))
  const links = useQuery(sharesQuery(id))
  const [said, setSaid] = useState('')
  const isOfIt = ({ render }: Share) => file === null || render?.id === file.id
  const both = {
    data:
      transcription.data && links.data
        ? { transcription: transcription.data, shares: links.data.shares.filter(isOfIt) }
        : undefined,
    error: transcription.error ?? links.error,
    refetch: () => [transcription, links].map((query) => (query.data ? null : query.refetch())),
  }
  if (file)
    return (
      <Dialog
        open
        onOpenChange={onClose}
        focusAfter={focusAfter}
        title="Share the file"
        description={file.name}
        isHeadKept
        // As high as its choices: they come later, and push nothing.
        className="min-h-[min(33.75rem,calc(100dvh-2rem))]"
      >
        <output className="sr-only">{said}</output>
        <Loaded query={both} what="its links">
          {(loaded) => <LinkPart {...loaded} file={file} onSay={setSaid} />}
        </Loaded>
      </Dialog>
    )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      focusAfter={focusAfter}
      title="Share"
      isHeadKept
      // As high as its place, or with its top where it stays: its links come later, and push nothing.
      className="max-md:h-dvh md:mt-[max(1rem,calc(50dvh-24rem))]! md:mb-auto! md:max-h-[calc(100dvh-1rem-max(1rem,calc(50dvh-24rem)))]! md:w-[50rem]!"
    >
      <output className="sr-only">{said}</output>
      <div className="mt-5 grid gap-y-6 md:grid-cols-[minmax(0,1fr)_19rem]">
        <Part
          title={links.data && links.data.shares.length > 1 ? 'Links' : 'A link'}
          className="md:pr-7"
        >
          <Loaded query={both} what="its links">
            {(loaded) => <LinkPart {...loaded} file={null} onSay={setSaid} />}
          </Loaded>
        </Part>
        <Part
          title="The text"
          className="max-md:border-t max-md:border-rule max-md:pt-6 md:border-l md:border-rule md:pl-7"
        >
          <Loaded query={transcription} what="the text">
            {(transcription) => <TextPart transcription={transcription} />}
          </Loaded>
        </Part>
      </div>
    </Dialog>
  )
}

function Part({
  title,
  className,
  children,
}: {
  title: string
  className: string
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={className}>
      <h3 id={id} className="font-display text-h3 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}
