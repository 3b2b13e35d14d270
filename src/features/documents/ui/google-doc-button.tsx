import { useQuery } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { useState } from 'react'

import { authOptionsQuery } from '#features/account/ui/queries.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { GeneratedDocument } from '../contract.ts'
import { createGoogleDoc } from './google-doc.ts'

/** Makes a Google document of one of ours, and opens it. */
export function GoogleDocButton({ document }: { document: GeneratedDocument }) {
  const [isWaiting, setWaiting] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const create = async () => {
    setWaiting(true)
    const { title, content, documentType, note } = document
    try {
      const { documentUrl } = await createGoogleDoc({
        title,
        documentType,
        content: note ? `${content}\n\n${note}` : content,
      })
      setMade(documentUrl)
      toast({
        title: 'Google Doc Created Successfully!',
        // The press was long ago: some browsers block the tab, and the way there is offered instead.
        ...(openTab(documentUrl)
          ? {}
          : { action: { label: 'Open', onPress: () => void openTab(documentUrl) } }),
      })
    } catch (error) {
      const words = error instanceof Error && !(error instanceof ApiError) ? error.message : ''
      toast({
        title: 'Failed to create Google Doc',
        description: sentenceOf(error, words || 'An unknown error occurred'),
        variant: 'destructive',
      })
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
        iconAfter={<ArrowUpRight aria-hidden="true" strokeWidth={1.75} className="size-4!" />}
        onClick={() => void create()}
      >
        {isWaiting ? 'Waiting for Google…' : 'Create Google Doc'}
      </Button>
    </>
  )
}

/** Whether it opened, which nobody is told of a tab that is opened without an opener. */
function openTab(url: string): boolean {
  const tab = window.open(url, '_blank')
  if (tab) tab.opener = null
  return tab !== null
}

/** Where it leads nowhere, it is said before somebody presses it. */
export function GoogleDocsNote() {
  const { data } = useQuery(authOptionsQuery)
  if (data?.google !== false) return null
  return <p className="mt-2 text-small text-ink-2">Google Docs is not set up on this server.</p>
}
