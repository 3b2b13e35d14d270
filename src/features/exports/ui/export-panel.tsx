import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

import { cutsQuery } from '#features/cuts/ui/queries.ts'
import type { TranslationLanguage } from '#features/translations/contract.ts'
import { translationsQuery } from '#features/translations/ui/queries.ts'
import { exportFileName } from '#shared/file-names.ts'
import { counted, formatBytes, formatTime } from '#shared/format.ts'
import { sentenceOf } from '#web/api.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { InlineError, NotLoaded } from '#web/ui/inline-error.tsx'

import type { LookLine } from '../contract.ts'
import { exportFormats, fileNameOf, honours } from '../formats.ts'
import { MoreChoices, choicesOf } from './choices.tsx'
import {
  type ExportChoice,
  choiceFor,
  exportQuery,
  keepChosen,
  keepTaken,
} from './export-choice.ts'
import { FormatList } from './format-list.tsx'
import { Look, Page, Sheet, useLook } from './look.tsx'
import {
  type Film,
  type Kind,
  type Known,
  type RowName,
  chosenOf,
  isWritten,
  menuOf,
} from './menu.ts'
import { sayCuts } from './say-cuts.ts'
import { isRefused, whyNoTimecode, whyNotOnYoutube } from './why-not.ts'

/** A press on Download: the kind of file, and its options. */
export interface Taken {
  kind: Kind
  choice: ExportChoice
  language: TranslationLanguage | null
}

interface Chapter {
  title: string
  start: number
}

/** The choice, kept as soon as it changes. `id`: of the recording it is made for. */
export function useChoice(id: string, film: Film | null = null) {
  const [choice, setChoice] = useState(() => choiceFor(id, film))
  const change = (changed: Partial<ExportChoice>) => {
    const next = { ...choice, ...changed }
    keepChosen(id, next)
    setChoice(next)
  }
  return [choice, change] as const
}

/** Rows whose names alone do not say enough. */
const told: readonly RowName[] = ['Research', 'Chapters', 'Film', 'Cut']

/**
 * Formats, how the file begins that is chosen, and its choices with the one button: side by side, and
 * on narrow screens one below the other.
 */
export function ExportPanel({
  id,
  known: about,
  durationS,
  chapters = [],
  onChapters = null,
  isMany = false,
  hidden = 0,
  choice,
  onChange,
  take,
  onTaken,
  onCutExport = null,
  files,
  below,
  className,
}: {
  /** Of what is looked at: of many recordings the first. */
  id: string
  known: Omit<Known, 'hasCuts'>
  durationS?: number
  chapters?: readonly Chapter[]
  /** Opens the chapters, to be changed; null where that cannot be done here. */
  onChapters?: (() => void) | null
  isMany?: boolean
  /** How many names are hidden for others. */
  hidden?: number
  choice: ExportChoice
  onChange: (change: Partial<ExportChoice>) => void
  take: (taken: Taken) => Promise<void>
  onTaken?: () => void
  /** Leads to the recording without its cuts; null where that cannot be made here. */
  onCutExport?: ((from: HTMLElement) => void) | null
  /** What was made of the recording, which is shown with its sound and film. */
  files?: ReactNode
  /** Further ways, below the formats. */
  below?: ReactNode
  className?: string
}) {
  const { data: cut } = useQuery({ ...cutsQuery(id), enabled: !isMany })
  const known = { ...about, hasCuts: (cut?.cuts.length ?? 0) > 0 }
  const menu = menuOf(known)
  const chosen = chosenOf(menu, choice.kind)
  const kind = chosen?.kind ?? choice.kind
  const language = useLanguage(id, !isMany)
  const { start, busy, failed } = useTaking(take)
  const isCut =
    known.hasCuts && choice.cuts === 'applied' && isWritten(kind) && honours(kind, 'cuts')
  // Which chapters are left of a cut recording is known to the server.
  const lacking =
    kind === 'youtube' && !isCut && known.hasChapters && durationS !== undefined
      ? whyNotOnYoutube(chapters, durationS)
      : null
  const isLooked = isWritten(kind) && lacking === null
  const look = useLook(id, isLooked ? exportQuery(choice, kind, language.chosen) : null)
  // Of many, others may be made.
  const isUnmade = isLooked && !isMany && isRefused(look.error)
  const why = lacking ?? whyNoTimecode(kind, choice)
  const whyId = useId()
  const { shown, more } = choicesOf({
    row: chosen?.row ?? { name: 'Word', kinds: [] },
    kind,
    known,
    choice,
    onChange,
    language,
    id: isMany ? null : id,
  })
  if (!chosen)
    return <p className="py-8 text-ui text-ink-2">There is nothing of it to take away.</p>
  const isBusy = busy === kind
  const { originalName } = known
  const name = isMany ? 'One ZIP file' : nameOf(originalName, kind, language.chosen)
  const size = isLooked && look.data && 'sizeBytes' in look.data ? look.data.sizeBytes : null
  return (
    <form
      className={classes(
        'grid grid-cols-[minmax(0,1fr)] gap-y-4 lg:grid-rows-[auto_minmax(0,1fr)] lg:gap-y-0',
        className,
      )}
      onSubmit={(event) => {
        event.preventDefault()
        keepTaken({ ...choice, kind })
        start({ kind, choice, language: language.chosen }, onTaken)
      }}
    >
      <div className="lg:col-start-1 lg:row-start-1">
        <FormatList
          menu={menu}
          chosen={chosen.row}
          originalName={originalName}
          onChoose={(row) => onChange({ kind: row.kinds[0] ?? kind })}
        />
      </div>
      <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        {isWritten(kind) && lacking === null ? (
          <Look look={look} />
        ) : (
          <Sheet isFading={kind !== 'recording' && chapters.length > 3}>
            <Page lines={soundLines(originalName, { kind, durationS, chapters })} />
          </Sheet>
        )}
      </div>
      <div className="min-w-0 lg:col-start-3 lg:row-span-2 lg:row-start-1">
        <h3 className="mb-3 font-display text-h3 font-semibold max-lg:sr-only">
          {chosen.row.name}
        </h3>
        {/* As high for every format, so that the button stays in its place. */}
        <div
          className={classes(
            'border-t border-rule',
            known.hasCuts ? 'min-h-[188px]' : 'min-h-[142px]',
          )}
        >
          {shown}
        </div>
        <Button
          type="submit"
          variant="primary"
          className="mt-4 w-full"
          icon={<Download />}
          pending={isBusy}
          disabled={why !== null || isUnmade}
          aria-describedby={whyId}
        >
          {isBusy ? 'Making the file…' : 'Download'}
        </Button>
        <output className="sr-only">{isBusy ? 'Making the file…' : ''}</output>
        <p id={whyId} className="mt-2 text-small wrap-anywhere text-ink-2">
          {isUnmade
            ? 'It cannot be made as it is chosen here.'
            : (why ?? (size === null || isMany ? name : `${name}, ${formatBytes(size)}`))}
          {lacking !== null && onChapters ? (
            <>
              {' '}
              <button
                type="button"
                className="text-link pointer-coarse:min-h-11"
                onClick={onChapters}
              >
                {chapters.length < 3 ? 'Add one' : 'Change them'}
              </button>
            </>
          ) : null}
        </p>
        <p className="mt-1 text-small text-ink-2 empty:hidden">
          {isWritten(kind)
            ? told.includes(chosen.row.name) && `${exportFormats[kind].what}.`
            : kind === 'recording'
              ? 'The recording as it came.'
              : 'The sound, with chapters that players show. A long one takes some minutes.'}
          {!known.hasCuts || isWritten(kind) ? null : onCutExport ? (
            <>
              {' It is whole. '}
              <button
                type="button"
                className="text-link pointer-coarse:min-h-11"
                onClick={({ currentTarget }) => onCutExport(currentTarget)}
              >
                Export the cut recording
              </button>
            </>
          ) : (
            ' It is whole: without its cuts it is made by “Export the cut recording”, over the player.'
          )}
        </p>
        {cut && isCut ? (
          <p className="mt-1 text-small wrap-anywhere text-ink-2">
            {sayCuts(cut, look.data?.chaptersLeftOut)}
          </p>
        ) : null}
        {hidden > 0 ? (
          <p className="mt-1 text-small text-ink-2">
            {kind === 'recording'
              ? 'It has what is hidden for others.'
              : `Hidden for others: ${counted(hidden, 'name')}.`}
          </p>
        ) : null}
        {failed && isRefused(failed.error) ? (
          <InlineError className="mt-3">{sentenceOf(failed.error)}</InlineError>
        ) : failed ? (
          <NotLoaded
            className="mt-3"
            isAsking={busy === failed.taken.kind}
            askAgain={() => start(failed.taken, onTaken)}
          >
            {sentenceOf(failed.error, 'The file could not be made. Nothing is lost.')}
          </NotLoaded>
        ) : null}
        <MoreChoices>{more}</MoreChoices>
        {chosen.row.name === 'Sound' || chosen.row.name === 'Film' ? files : null}
      </div>
      {below ? (
        <div className="lg:col-start-1 lg:row-start-2 lg:mt-3 lg:border-t lg:border-rule lg:pt-3">
          {below}
        </div>
      ) : null}
    </form>
  )
}

function nameOf(originalName: string, kind: Kind, language: TranslationLanguage | null): string {
  if (kind === 'recording') return originalName
  return isWritten(kind)
    ? fileNameOf(originalName, kind, language)
    : exportFileName(originalName, kind)
}

/** The first lines of a sound: its name, its length and its chapters. */
function soundLines(
  originalName: string,
  {
    kind,
    durationS,
    chapters,
  }: { kind: Kind; durationS: number | undefined; chapters: readonly Chapter[] },
): LookLine[] {
  return [
    { as: 'title', text: nameOf(originalName, kind, null) },
    ...(durationS === undefined ? [] : [{ as: 'facts' as const, text: formatTime(durationS) }]),
    ...(kind === 'recording'
      ? []
      : chapters.map(({ title, start }) => ({
          as: 'who' as const,
          parts: [
            { as: 'time' as const, text: formatTime(start) },
            { as: 'name' as const, text: title },
          ],
        }))),
  ]
}

/** The language belongs to one recording, and is not kept. */
function useLanguage(id: string, isAsked: boolean) {
  const { data: all = [] } = useQuery({
    ...translationsQuery(id, 0),
    enabled: isAsked,
    // They may have been ordered on another page.
    staleTime: 0,
  })
  const languages = all.filter(({ isReadable }) => isReadable).map(({ language }) => language)
  const [wanted, choose] = useState<TranslationLanguage | null>(null)
  return { languages, chosen: languages.find((each) => each === wanted) ?? null, choose }
}

/** Makes files, also after the page is left. The one that fails is told of, also while the next is on its way. */
function useTaking(take: (taken: Taken) => Promise<void>) {
  const [failed, setFailed] = useState<{ taken: Taken; error: Error } | null>(null)
  const taking = useMutation({
    mutationFn: take,
    onMutate: () => setFailed(null),
    onError: (error, taken) => setFailed({ error, taken }),
  })
  return {
    start: (taken: Taken, onTaken?: () => void) =>
      taking.mutate(taken, onTaken ? { onSuccess: onTaken } : {}),
    busy: taking.isPending ? taking.variables.kind : null,
    failed,
  }
}
