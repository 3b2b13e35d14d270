import { useQuery } from '@tanstack/react-query'
import {
  AlignLeft,
  Brain,
  FileText,
  type LucideIcon,
  Mail,
  PenLine,
  Share2,
  TrendingUp,
  Users,
} from 'lucide-react'
import { useId } from 'react'

import { sentenceOf } from '#web/api.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { NotLoaded } from '#web/ui/inline-error.tsx'

import type { DocumentType } from '../contract.ts'
import { type DocumentChoice, ofType } from './choice.ts'
import { useMadeOf } from './made-of.ts'
import { documentTypesQuery } from './queries.ts'

const icons: Record<string, LucideIcon> = {
  FileText,
  AlignLeft,
  Brain,
  TrendingUp,
  Users,
  Mail,
  Share2,
  PenLine,
}

/** The types to choose from, and whether pictures are wanted where the chosen one has them. */
export function TypeList({
  choice,
  onChange,
}: {
  choice: DocumentChoice
  onChange: (choice: DocumentChoice) => void
}) {
  const name = useId()
  const isByModel = useMadeOf() === null
  const { data, error, isFetching, refetch } = useQuery(documentTypesQuery)
  if (error)
    return (
      <NotLoaded isAsking={isFetching} askAgain={refetch}>
        {sentenceOf(error, 'The types of documents could not be loaded.')}
      </NotLoaded>
    )
  if (!data)
    return (
      <p role="status" className="h-[364px] text-small text-ink-2">
        Loading the types…
      </p>
    )
  const chosen = data.find(({ id }) => id === choice.type)
  const own = data.filter(({ isOwn }) => isOwn)
  const list = (types: readonly DocumentType[]) => (
    <div className="divide-y divide-rule border-y border-rule">
      {types.map((type) => {
        const Icon = icons[type.icon] ?? FileText
        return (
          <label
            key={type.id}
            className="relative grid min-h-13 cursor-pointer grid-cols-[auto_auto_minmax(0,1fr)] items-center gap-x-3 py-2.5 hover:bg-paper-2 has-checked:bg-paper-2 sm:px-2"
          >
            <input
              type="radio"
              name={name}
              value={type.id}
              checked={choice.type === type.id}
              onChange={() => onChange(ofType(choice, type))}
              className="size-5 shrink-0 cursor-pointer appearance-none rounded-full border border-line bg-card checked:border-[6px] checked:border-primary"
            />
            <Icon size={20} className="text-ink-2" />
            <span className="grid min-w-0 gap-x-4 sm:grid-cols-[180px_minmax(0,1fr)_auto] sm:items-baseline">
              <span className="font-semibold wrap-anywhere">{type.name}</span>
              <span className="text-small text-ink-2 wrap-anywhere">{type.description}</span>
              <span className="text-small whitespace-nowrap text-ink-2 tabular-nums">
                {isByModel ? `${type.minWords}–` : 'up to '}
                {type.maxWords} words
              </span>
            </span>
          </label>
        )
      })}
    </div>
  )
  return (
    <>
      <fieldset>
        <legend className="mb-1.5 text-small font-semibold">Document type</legend>
        {list(data.filter(({ isOwn }) => !isOwn))}
        {own.length > 0 ? (
          <div role="group" aria-labelledby={`${name}-own`}>
            <p id={`${name}-own`} className="mt-5 mb-1.5 text-small font-semibold">
              Yours
            </p>
            {list(own)}
          </div>
        ) : null}
      </fieldset>
      {chosen?.includeImages ? (
        <Checkbox
          className="mt-3"
          checked={choice.withImages}
          onChange={(event) => onChange({ ...choice, withImages: event.target.checked })}
        >
          Include image suggestions
        </Checkbox>
      ) : null}
    </>
  )
}
