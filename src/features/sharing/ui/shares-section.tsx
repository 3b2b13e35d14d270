import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { Link } from 'react-router'

import { Section } from '#features/account/ui/account-section.tsx'
import { Loaded } from '#features/account/ui/loaded.tsx'
import { transcriptionPath } from '#web/paths.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ConfirmAlert } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { Share } from '../contract.ts'
import { allSharesQuery, useEndShare } from './queries.ts'
import { Seen } from './seen.tsx'

/** On the account's page about data: every link by which others read something of it. */
// oxlint-disable-next-line import/no-default-export -- the router takes it as the inside of a page
export default function SharesSection() {
  const query = useQuery(allSharesQuery)
  const [asked, setAsked] = useState<Share | null>(null)
  const section = useRef<HTMLDivElement>(null)
  const end = useEndShare({ onEnded: () => setAsked(null) })
  return (
    <Section
      title="Links to others"
      lead="Whoever has one of these reads what it shows, without an account. What has ended is not listed."
    >
      <div ref={section} tabIndex={-1} className="outline-none">
        <Loaded query={query} what="your links">
          {({ shares }) =>
            shares.length === 0 ? (
              <p className="mt-3 text-body">There is none. “Share” on a result makes one.</p>
            ) : (
              <ul className="mt-4 border-t border-rule">
                {shares.map((share) => (
                  <Row key={share.id} share={share} onEnd={() => setAsked(share)} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {asked ? (
        <ConfirmAlert
          title="End the link?"
          description="The address stops working and cannot be had again."
          keep="Keep it"
          verb="End the link"
          isPending={end.isPending}
          onKeep={() => setAsked(null)}
          onAct={() => end.mutate(asked)}
          onCloseAutoFocus={(event) => {
            // Its button is gone with the link.
            if (document.activeElement !== document.body) return
            event.preventDefault()
            section.current?.focus()
          }}
        >
          <p className="mt-4 font-[650] wrap-anywhere">{asked.name}</p>
        </ConfirmAlert>
      ) : null}
    </Section>
  )
}

function Row({ share, onEnd }: { share: Share; onEnd: () => void }) {
  const { transcriptionId, name, url, hasPassword } = share
  return (
    <li className="grid gap-x-6 gap-y-3 border-b border-rule py-4 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="min-w-0">
        <p className="text-body">
          <Link
            to={transcriptionPath(transcriptionId)}
            className="font-[650] wrap-anywhere no-underline hover:underline"
          >
            {name}
          </Link>
          {share.render ? <Badge className="ml-3">Cut file</Badge> : null}
          {hasPassword ? <Badge className="ml-3">Password</Badge> : null}
        </p>
        {url === null ? null : <p className="truncate text-small text-ink-2">{url}</p>}
        <p className="text-small text-ink-2">
          <Seen share={share} />
        </p>
      </div>
      <div className="flex gap-2.5">
        {url === null ? null : (
          <CopyButton
            text={url}
            label="Copy link"
            copiedLabel="Copied"
            aria-label={`Copy link to ${name}`}
            onFailed={() => toast({ title: 'Could not copy to clipboard', variant: 'destructive' })}
          />
        )}
        <Button
          size="small"
          variant="danger-outline"
          aria-label={`End the link to ${name}`}
          onClick={onEnd}
        >
          End
        </Button>
      </div>
    </li>
  )
}
