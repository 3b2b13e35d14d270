import { useQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'

import { cutsQuery } from '#features/cuts/ui/queries.ts'
import { linesIn, transcriptAsText } from '#features/exports/ui/as-text.ts'
import { openAsCut } from '#features/exports/ui/open-as-cut.ts'
import { openForOthers } from '#features/exports/ui/open-as-given.ts'
import { sayCuts } from '#features/exports/ui/say-cuts.ts'
import { canShareText, shareText } from '#features/exports/ui/share.ts'
import {
  type TextChoice,
  keepTextChoice,
  keptTextChoice,
} from '#features/exports/ui/text-choice.ts'
import { type Open, failedCopy } from '#features/exports/ui/text-of.ts'
import { wordsQuery } from '#features/text/ui/words-query.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { wordsFromSegments } from '#features/transcriptions/ui/spoken.ts'
import { forOthers } from '#web/for-others.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Veiled, WithBars, useVeil } from '#web/ui/with-bars.tsx'

/** The text itself, to be pasted or sent elsewhere. */
export function TextPart({ transcription }: { transcription: Transcription }) {
  return (
    <Suspense fallback={null}>
      <Veiled of={transcription}>
        <Text transcription={transcription} />
      </Veiled>
    </Suspense>
  )
}

function Text({ transcription }: { transcription: Transcription }) {
  const veil = useVeil()
  const { id, originalName, wordCount } = transcription
  const { data: cuts } = useQuery(cutsQuery(id))
  const isCut = cuts !== undefined && cuts.cuts.length > 0
  // The open result has its words, with corrections that the transcription may not have yet. Where
  // no result is open, the transcription has just been loaded; what is cut is known by the words.
  const { data: loaded } = useQuery({ ...wordsQuery(id), enabled: isCut })
  const words = useMemo(() => {
    const whole = loaded ?? wordsFromSegments(transcription)
    const open = { transcription, words: whole }
    return openAsCut(veil.isEmpty ? open : openForOthers(open, veil), cuts).words
  }, [loaded, transcription, cuts, veil])
  const isKnown = cuts !== undefined && (loaded !== undefined || !isCut)
  const [choice, setChoice] = useState(keptTextChoice)
  const change = (part: Partial<TextChoice>) => {
    const next = { ...choice, ...part }
    keepTextChoice(next)
    setChoice(next)
  }
  const isNamed = useMemo(
    () => linesIn(words, { names: true, times: false }).some(({ name }) => name !== null),
    [words],
  )
  const text = () => forOthers(transcriptAsText(words, choice))
  return (
    <>
      {isCut ? <p className="mt-1 text-small text-ink-2">{sayCuts(cuts)}</p> : null}
      <Switch
        label="Names"
        checked={choice.names && isNamed}
        disabled={!isNamed}
        note={isNamed ? null : 'No speaker has a name here.'}
        onChange={(names) => change({ names })}
      />
      <Switch label="Times" checked={choice.times} onChange={(times) => change({ times })} />
      <Preview words={words} choice={choice} />
      <CopyButton
        disabled={!isKnown}
        text={text}
        label="Copy text"
        copiedLabel="Copied"
        size="medium"
        className="mt-4 w-full"
        onFailed={() => toast({ title: failedCopy.transcription, variant: 'destructive' })}
      />
      {canShareText() ? (
        <Button
          icon={<Share2 />}
          disabled={!isKnown}
          className="mt-3 w-full"
          onClick={() => void shareText({ title: originalName, text: text().plain })}
        >
          Share text…
        </Button>
      ) : null}
      {wordCount === null || isCut ? null : (
        <p className="mt-2.5 text-small text-ink-2">
          {wordCount.toLocaleString('en-US')} {wordCount === 1 ? 'word' : 'words'}, as plain text
          {choice.names && isNamed ? '; word processors get the names in bold.' : '.'}
        </p>
      )}
    </>
  )
}

/** How many turns fill the preview, however short they are. */
const SEEN_TURNS = 6

function Preview({ words, choice }: { words: Open['words']; choice: TextChoice }) {
  const lines = linesIn(words, choice).slice(0, SEEN_TURNS)
  if (lines.length === 0) return null
  return (
    <div
      role="group"
      aria-label="How it begins"
      dir="auto"
      className="mt-3 ruled-pad h-[193px] overflow-hidden rounded-control border border-rule px-3.5 text-small leading-8! max-sm:hidden"
    >
      {lines.map(({ time, name, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- lines have no identity but their place
        <p key={index} dir="auto" className="line-clamp-4">
          {time === null ? null : `${time} `}
          {name === null ? null : (
            <>
              <strong className="font-semibold">{name}</strong>
              <br />
            </>
          )}
          <WithBars isPlain text={text} />
        </p>
      ))}
    </div>
  )
}
