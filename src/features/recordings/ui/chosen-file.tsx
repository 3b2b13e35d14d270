import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'
import { creditsFor } from '#features/credits/contract.ts'
import { isUndecided } from '#features/documents/ui/choice.ts'
import { DocumentOptions } from '#features/documents/ui/document-options.tsx'
import { hasDocuments } from '#features/documents/ui/queries.ts'
import { formatBytes, formatCredits } from '#shared/format.ts'
import { isSilent } from '#shared/wave.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Levels } from '#web/ui/levels.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { useOnFocus } from '#web/use-on-focus.ts'

import { localSoundQuery } from './local-sound.ts'
import { SoundPlayer } from './recording/sound-player.tsx'
import { SameNote, SilentNote, sayCopyRemoved } from './same-note.tsx'
import { sameQuery } from './same-query.ts'
import { OptionsRow } from './options-row.tsx'
import { isLengthSure, localDurationQuery, userKey } from './queries.ts'
import { soundTracksQuery } from './sound-tracks.ts'
import { SummaryLanguageSelect } from './summary-language-select.tsx'
import { takeFocus } from './take-focus.ts'
import type { useUpload } from './use-upload.ts'

/** The chosen file, how it is to be worked on, and about what it costs. */
export function ChosenFile({
  file,
  upload: { how, document, setDocument, start },
  onRemove,
  onPutBack,
  problem,
}: {
  file: File
  upload: ReturnType<typeof useUpload>
  onRemove: () => void
  /** Chooses it again after it was removed. */
  onPutBack: () => void
  /** Why the last try to send it failed. */
  problem: ReactNode
}) {
  const { data: seconds, isPending } = useQuery(localDurationQuery(file))
  const { data: sound } = useQuery(localSoundQuery(file, seconds))
  const { data: tracks = null } = useQuery(soundTracksQuery(file))
  const levels = sound && sound.levels
  const { data: same } = useQuery(sameQuery(file))
  const [isHeard, setHeard] = useState(false)
  const user = useUser()
  const can = useCapabilities()
  const client = useQueryClient()
  useOnFocus(() => void client.invalidateQueries({ queryKey: userKey }))
  const mustChoose = isUndecided(document)
  return (
    <section
      aria-labelledby="chosen-file"
      className="divide-y divide-rule rounded-panel border border-rule bg-card *:px-4 *:py-6 *:sm:px-7"
    >
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <Levels levels={levels} className="max-sm:hidden" />
        <div className="min-w-0 flex-1">
          <h2
            ref={takeFocus}
            id="chosen-file"
            tabIndex={-1}
            className="text-lead leading-6.5! font-[650] text-wrap wrap-anywhere outline-none"
          >
            {file.name}
          </h2>
          <p className="text-small text-ink-2 tabular-nums">
            {formatBytes(file.size)}
            {typeof seconds === 'number' ? (
              <>
                {isLengthSure(file) ? ' · ' : ' · about '}
                <Timecode s={seconds} className="text-fine!" />
              </>
            ) : null}
          </p>
          <p className="text-small text-ink-2 empty:hidden">
            {same ? (
              <SameNote
                same={same}
                onOpen={() => {
                  onRemove()
                  sayCopyRemoved(file.name, onPutBack)
                }}
              />
            ) : isSilent(levels) ? (
              <SilentNote onListen={() => setHeard(!isHeard)} />
            ) : null}
          </p>
          {isHeard ? (
            <SoundPlayer file={file} seconds={seconds ?? 0} levels={levels ?? []} />
          ) : null}
        </div>
        <Button size="small" onClick={onRemove}>
          Remove
        </Button>
        {problem}
      </div>
      <div className={classes('grid gap-x-8 gap-y-2', can('summaryLanguages') && 'md:grid-cols-2')}>
        <SummaryLanguageSelect
          value={how.summaryLanguage}
          describedBy="summary-language-help"
          onChange={how.setLanguage}
        />
        {can('summaryLanguages') ? (
          <p id="summary-language-help" className="text-small text-ink-2 md:mt-7">
            The language of the summary. The transcript keeps the language spoken.
          </p>
        ) : null}
      </div>
      <OptionsRow
        fileName={file.name}
        options={how.options}
        channels={sound?.channels ?? null}
        tracks={tracks}
        onChange={how.setOptions}
      />
      <DocumentOptions isOffered={hasDocuments(user)} choice={document} onChange={setDocument} />
      <div className="flex flex-col gap-4 sm:flex-row sm:items-center sm:justify-between">
        <p className="text-small text-ink-2" aria-live="polite">
          <Estimate
            seconds={seconds ?? null}
            isReading={isPending}
            withDocument={document.isWanted}
            available={user.credits}
          />
        </p>
        <div className="sm:text-right">
          <Button
            variant="primary"
            className="w-full sm:w-auto"
            disabled={mustChoose}
            aria-describedby={mustChoose ? 'start-why' : undefined}
            onClick={() => start(file)}
          >
            Start Transcription{document.isWanted ? ' + Document' : ''}
          </Button>
          {mustChoose ? (
            <p id="start-why" className="mt-1.5 text-small text-ink-2">
              Choose a document type first.
            </p>
          ) : null}
        </div>
      </div>
    </section>
  )
}

/** The same price rule as the server's, on the length this browser reads. */
function Estimate({
  seconds,
  isReading,
  withDocument,
  available,
}: {
  seconds: number | null
  isReading: boolean
  withDocument: boolean
  available: number
}) {
  if (isReading) return 'Reading the length…'
  if (seconds === null) return 'You see the price and confirm it before anything is charged.'
  const credits = creditsFor(seconds, { withDocument })
  const missing = credits - available
  const about = (
    <>
      About <strong className="text-ink">{formatCredits(credits)}</strong>
    </>
  )
  // Said before much is sent. It may be sent all the same, and confirmed when more are there.
  if (missing > 0)
    return (
      <>
        {about}, and you have {available.toLocaleString('en-US')}:{' '}
        <strong className="text-warn">{missing.toLocaleString('en-US')} too few</strong>.{' '}
        <a href={paths.subscribe} target="_blank" rel="noopener" className="text-link">
          Buy Credits<span className="sr-only"> (opens in a new tab)</span>
        </a>
      </>
    )
  return <>{about}. You confirm before anything is charged.</>
}
