import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'

import { ApiError, sentenceOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import type { GeneratedDocument } from '../contract.ts'
import { createGoogleDoc } from './google-doc.ts'

/** Copies one of our documents into a new Google document, and opens that. */
export function GoogleDocButton({ document }: { document: GeneratedDocument }) {
  const [isWaiting, setWaiting] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const create = async () => {
    setWaiting(true)
    const { id: documentId, title, content, documentType, note } = document
    try {
      const { documentUrl } = await createGoogleDoc({
        title,
        documentType,
        documentId,
        content: note ? `${content}\n\n${note}` : content,
      })
      setMade(documentUrl)
      toast({
        title: 'Google Doc Created Successfully!',
        // Some browsers block a tab that opens so long after the press. Then a link is offered
        // instead.
        ...(openTab(documentUrl)
          ? {}
          : { action: { label: 'Open', onPress: () => void openTab(documentUrl) } }),
      })
    } catch (error) {
      const words = error instanceof Error && !(error instanceof ApiError) ? error.message : ''
      toastFailure(
        'Failed to create Google Doc',
        sentenceOf(error, words || 'An unknown error occurred'),
      )
    }
    setWaiting(false)
  }
  return (
    <>
      {made === null ? null : (
        <a
          href={made}
          target="_blank"
          rel="noopener"
          className="order-last w-full text-link text-small"
        >
          Open the Google Doc<span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
      <Button
        size="small"
        pending={isWaiting}
        iconAfter={<ArrowUpRight className="size-4!" />}
        onClick={() => void create()}
      >
        {isWaiting ? 'Waiting for Google…' : 'Create Google Doc'}
      </Button>
    </>
  )
}

/** Opens a tab without an opener. With `noopener` the browser would not tell whether it opened. */
function openTab(url: string): boolean {
  const tab = window.open(url, '_blank')
  if (tab) tab.opener = null
  return tab !== null
}
