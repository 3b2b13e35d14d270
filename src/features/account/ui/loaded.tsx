import type { ReactNode } from 'react'

import { sentenceOf } from '#web/api.ts'
import { Button, type ButtonSize } from '#web/ui/button.tsx'
import { NotLoaded } from '#web/ui/inline-error.tsx'

/**
 * The three faces of data from the server: loading, failed with another try, and there. While a section
 * loads, those below it are not shown (see styles.css), or it would push them down.
 */
export function Loaded<Data>({
  query,
  what,
  children,
}: {
  query: {
    data: Data | undefined
    error: unknown
    isFetching?: boolean
    refetch: () => unknown
  }
  /** "your sessions" */
  what: string
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error)
    return (
      <NotLoaded className="mt-4" isAsking={query.isFetching ?? false} askAgain={query.refetch}>
        {sentenceOf(query.error, `We could not load ${what}.`)}
      </NotLoaded>
    )
  return (
    <p role="status" data-loading className="mt-4 animate-appear text-small text-ink-2">
      Loading {what}…
    </p>
  )
}

/** Reads the next page of a long list, while there is one. */
export function ShowMore({
  query,
  size = 'small',
  className = 'mt-4',
  children,
}: {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  size?: ButtonSize
  className?: string
  children: ReactNode
}) {
  return query.hasNextPage ? (
    <Button
      size={size}
      pending={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
      className={className}
    >
      {children}
    </Button>
  ) : null
}
