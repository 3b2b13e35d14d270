import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'

import { userQuery } from '#features/account/ui/queries.ts'
import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { DOCUMENT_CREDITS } from '#shared/business.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'

import type { GeneratedDocument } from '../contract.ts'
import { isUndecided, ofType, orderOf, wanting } from './choice.ts'
import { DocumentRow, showDocument } from './document-row.tsx'
import { howFar } from './how-far.ts'
import { useMadeOf } from './made-of.ts'
import { useOrderDocument } from './orders.ts'
import { OwnTypes } from './own-types.tsx'
import { documentTypesQuery, documentsQuery } from './queries.ts'
import { TypeList } from './type-list.tsx'

/** A new document of a result, then those that are there. */
export function GenerateTab({
  transcriptionId,
  isCut,
  bestMoments,
  onNewFile,
}: {
  transcriptionId: string
  /** Whether something is left out of the recording, and so of a document. */
  isCut: boolean
  /** Stands below show notes. */
  bestMoments: ReactNode
  onNewFile: () => void
}) {
  const { data, error, isFetching, refetch } = useQuery(documentsQuery(transcriptionId))
  const types = useQuery(documentTypesQuery)
  const client = useQueryClient()
  const refresh = () => {
    void refetch()
    void client.invalidateQueries({ queryKey: userQuery.queryKey })
  }
  if (!data && error)
    return (
      <NotLoaded className="mt-6" isAsking={isFetching} askAgain={refresh}>
        {sentenceOf(error, 'The documents could not be loaded.')}
      </NotLoaded>
    )
  // The types push nothing down that is there before them.
  if (!data || types.isPending)
    return (
      <p role="status" className="h-48 pt-6 text-small text-ink-2">
        Loading the documents…
      </p>
    )
  return (
    <div className="pt-6 pb-8">
      <NewDocument {...{ transcriptionId, isCut }} documents={data} />
      {data.length > 0 ? (
        <section aria-labelledby="documents" className="pt-10">
          <div className="flex flex-wrap items-center justify-between gap-4 border-b border-rule pb-2">
            <h2 id="documents" className="font-display text-h3 font-semibold">
              {data.length} {data.length === 1 ? 'document' : 'documents'}
            </h2>
            <Button
              size="small"
              variant="quiet"
              pending={isFetching}
              icon={<RefreshCw />}
              onClick={refresh}
            >
              Refresh
            </Button>
          </div>
          <ul>
            {data.map((document) => (
              <DocumentRow key={document.id} {...{ document, transcriptionId, bestMoments }} />
            ))}
          </ul>
        </section>
      ) : (
        <div className="pt-10 text-small text-ink-2">
          <p className="max-w-[66ch]">
            Documents are written during upload too. Tick Generate Document when you add a file.
          </p>
          <Button size="small" variant="quiet" className="-ml-3.5 label-wraps!" onClick={onNewFile}>
            Process New File with Documents
          </Button>
        </div>
      )}
    </div>
  )
}

/** A document of this recording, without uploading it again. The button stays in view. */
function NewDocument({
  transcriptionId,
  isCut,
  documents,
}: {
  transcriptionId: string
  isCut: boolean
  documents: readonly GeneratedDocument[]
}) {
  const [choice, setChoice] = useState(() => wanting(true))
  const order = useOrderDocument(transcriptionId)
  const wanted = orderOf(choice)
  const isByModel = useMadeOf() === null
  const isShort = order.error instanceof ApiError && order.error.status === 402
  return (
    <section aria-labelledby="new-document" className="max-w-[860px]">
      <h2 id="new-document" className="font-display text-h3 font-semibold">
        A document from this recording
      </h2>
      <p className="mt-0.5 mb-3 text-small text-ink-2">
        {isByModel ? 'Written from' : 'Put together from sentences of'} the transcript as it{' '}
        {isCut ? 'is cut' : 'stands'} now, with the names you gave the speakers. {DOCUMENT_CREDITS}{' '}
        credit, returned if it fails.
      </p>
      <TypeList choice={choice} onChange={setChoice} />
      <OwnTypes onMade={(type) => setChoice(ofType(choice, type))} />
      <div data-foot className="sticky bottom-(--player-height,0px) bg-paper py-3">
        {order.error ? (
          <InlineError className="mb-3" action={isShort ? <BuyCredits /> : undefined}>
            {sentenceOf(order.error)}
          </InlineError>
        ) : null}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button
            variant="primary"
            pending={order.isPending}
            disabled={isUndecided(choice)}
            aria-describedby="new-document-why"
            onClick={() => {
              if (wanted) order.mutate(wanted, { onSuccess: () => setChoice(wanting(true)) })
            }}
          >
            Create document
          </Button>
          <p id="new-document-why" className="text-small text-ink-2">
            {isUndecided(choice) ? 'Choose a type first.' : `${DOCUMENT_CREDITS} credit`}
          </p>
          {documents.length > 0 ? (
            <Progress documents={documents} orderedId={order.data?.id} />
          ) : null}
        </div>
      </div>
    </section>
  )
}

/** Says that documents are being written, and how that has ended. One that was ordered here is shown by a press. */
function Progress({
  documents,
  orderedId,
}: {
  documents: readonly GeneratedDocument[]
  orderedId: string | undefined
}) {
  const isWriting = documents.some(({ status }) => status === 'generating')
  const ended = isWriting ? undefined : documents.find(({ id }) => id === orderedId)
  const [said, act] =
    ended?.status === 'generated' ? ['Ready.', 'Read it'] : ['Not written.', 'See why']
  return (
    <div className="flex items-center gap-x-2 text-small text-ink-2">
      <p role="status" className={isWriting || ended ? undefined : 'sr-only'}>
        {ended ? said : howFar(documents)}
      </p>
      {ended ? (
        <button
          type="button"
          className="min-h-8 font-semibold text-link pointer-coarse:min-h-11"
          onClick={() => showDocument(ended)}
        >
          {act}
        </button>
      ) : null}
    </div>
  )
}
