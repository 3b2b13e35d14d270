import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { useUser } from '#features/account/ui/auth.tsx'
import { formatDate } from '#shared/format.ts'

import type { GeneratedDocument } from '../contract.ts'
import { documentsQuery, hasDocuments } from './queries.ts'

/** The documents of a result in a line each, with the way to them. Nothing where the plan has none. */
export function DocumentsInShort({ id }: { id: string }) {
  const isOffered = hasDocuments(useUser())
  const { data = [] } = useQuery({ ...documentsQuery(id), enabled: isOffered })
  if (!isOffered) return null
  const there = { search: window.location.search, hash: '#generate' }
  return (
    <section aria-labelledby="documents-in-short" className="print:hidden">
      <h2 id="documents-in-short" className="mb-1.5 font-display text-h3 font-semibold">
        Documents
      </h2>
      <ul className="text-small text-ink-2 tabular-nums">
        {data.map((document) => (
          <li key={document.id} className="py-0.5 wrap-anywhere">
            {inShort(document)}{' '}
            <Link
              to={there}
              className="inline-flex min-h-6 items-center font-semibold text-link pointer-coarse:min-h-11"
            >
              Open<span className="sr-only"> {document.title}</span>
            </Link>
          </li>
        ))}
      </ul>
      <Link
        to={there}
        className="inline-flex min-h-8 items-center text-small font-semibold text-link pointer-coarse:min-h-11"
      >
        Write a document…
      </Link>
    </section>
  )
}

/** What a document is called by: its own type, or one of ours. */
export const typeOf = ({ template, documentType }: GeneratedDocument): string =>
  template?.name ?? documentType.replaceAll('-', ' ')

function inShort(document: GeneratedDocument): string {
  const type = typeOf(document).replace(/^./, (letter) => letter.toUpperCase())
  switch (document.status) {
    case 'generating':
      return `${type}, being written.`
    case 'error':
      return `${type}, not written.`
    case 'generated':
      return `${type}, ${document.wordCount.toLocaleString('en-US')} words, ${formatDate(document.createdAt)}.`
  }
}
