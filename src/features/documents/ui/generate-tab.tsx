import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { useState } from 'react'

import { userQuery } from '#features/account/ui/queries.ts'
import { DOCUMENT_CREDITS } from '#shared/business.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'

import type { GeneratedDocument } from '../contract.ts'
import { isUndecided, ofType, orderOf, wanting } from './choice.ts'
import { DocumentRow } from './document-row.tsx'
import { useMadeOf } from './made-of.ts'
import { useOrderDocument } from './orders.ts'
import { OwnTypes } from './own-types.tsx'
import { documentsQuery } from './queries.ts'
import { TypeList } from './type-list.tsx'

/** The documents of a result, and a way to another one. */
export function GenerateTab({
  transcriptionId,
  onNewFile,
}: {
  transcriptionId: string
  onNewFile: () => void
}) {
  const { data, error, isFetching, refetch } = useQuery(documentsQuery(transcriptionId))
  const client = useQueryClient()
  const refresh = () => {
    void refetch()
    void client.invalidateQueries({ queryKey: userQuery.queryKey })
  }
  if (!data && error)
    return (
      <NotLoaded className="mt-8" isAsking={isFetching} askAgain={refresh}>
        {sentenceOf(error, 'The documents could not be loaded.')}
      </NotLoaded>
    )
  if (!data)
    return (
      <p role="status" className="h-48 pt-8 text-small text-ink-2">
        Loading the documents…
      </p>
    )
  return (
    <div className="pt-8 pb-10">
      {data.length > 0 ? (
        <section aria-labelledby="documents">
          <div className="flex flex-wrap items-center justify-between gap-4 border-b border-rule pb-4">
            <h2 id="documents" className="font-display text-section font-semibold">
              {data.length} {data.length === 1 ? 'document' : 'documents'}
            </h2>
            <Button size="small" pending={isFetching} icon={<RefreshCw />} onClick={refresh}>
              Refresh
            </Button>
          </div>
          <Announcement documents={data} />
          <ul>
            {data.map((document) => (
              <DocumentRow key={document.id} {...{ document, transcriptionId }} />
            ))}
          </ul>
        </section>
      ) : (
        <EmptyPad
          text="Documents are written during upload. Tick Generate Document when you add a file, or have one made of this recording below."
          action={
            <Button className="label-wraps!" onClick={onNewFile}>
              Process New File with Documents
            </Button>
          }
        />
      )}
      <Another transcriptionId={transcriptionId} isFirst={data.length === 0} />
    </div>
  )
}

/** Says once that a document has been written. */
function Announcement({ documents }: { documents: readonly GeneratedDocument[] }) {
  const writing = documents.filter(({ status }) => status === 'generating').length
  return (
    <p role="status" className="sr-only">
      {writing === 0 ? 'All documents are ready.' : `${writing} being written.`}
    </p>
  )
}

/** A document of this recording, without uploading it again. */
function Another({ transcriptionId, isFirst }: { transcriptionId: string; isFirst: boolean }) {
  const [choice, setChoice] = useState(() => wanting(true))
  const order = useOrderDocument(transcriptionId)
  const wanted = orderOf(choice)
  const isByModel = useMadeOf() === null
  const isShort = order.error instanceof ApiError && order.error.status === 402
  return (
    <section aria-labelledby="another-document" className="max-w-[860px] pt-10">
      <h2 id="another-document" className="font-display text-section font-semibold">
        {isFirst ? 'A document from this recording' : 'Another document'}
      </h2>
      <p className="mt-1 mb-5 text-ink-2">
        {isByModel ? 'Written from' : 'Put together from sentences of'} the transcript as it stands
        now, with the names you gave the speakers. {DOCUMENT_CREDITS} credit, returned if it fails.
      </p>
      <TypeList choice={choice} onChange={setChoice} />
      <OwnTypes onMade={(type) => setChoice(ofType(choice, type))} />
      {order.error ? (
        <InlineError
          className="mt-4"
          action={
            isShort ? (
              <ButtonLink size="small" href={paths.subscribe} target="_blank" rel="noopener">
                Buy Credits<span className="sr-only"> (opens in a new tab)</span>
              </ButtonLink>
            ) : undefined
          }
        >
          {sentenceOf(order.error)}
        </InlineError>
      ) : null}
      <div className="mt-5 flex flex-wrap items-center gap-4">
        <Button
          variant="primary"
          pending={order.isPending}
          disabled={isUndecided(choice)}
          aria-describedby="another-why"
          onClick={() => {
            if (wanted) order.mutate(wanted, { onSuccess: () => setChoice(wanting(true)) })
          }}
        >
          Create document
        </Button>
        <p id="another-why" className="text-small text-ink-2">
          {isUndecided(choice) ? 'Choose a type first.' : `${DOCUMENT_CREDITS} credit`}
        </p>
      </div>
    </section>
  )
}
