import { useState } from 'react'

import { accuracySentence } from '#features/text/ui/accuracy.ts'
import { ConfirmAlert } from '#web/ui/confirm-alert.tsx'

import { EarlierText } from '../later.tsx'
import type { ResultText } from '../text.ts'

/** Below the last turn: how much was right, and the ways back to what was there before. */
export function TextActs({ text }: { text: ResultText }) {
  const { transcription, carried, edits } = text
  return (
    <>
      <GoneThrough text={text} />
      <RestoreAll text={text} />
      {carried.keptUntil !== null && !carried.isShown && edits ? (
        <EarlierText
          canDrop
          id={transcription.id}
          keptUntil={carried.keptUntil}
          className="mt-2 flex flex-wrap items-baseline gap-x-4"
        />
      ) : null}
    </>
  )
}

/** How right the text was by its corrections, once its user has gone through it. */
function GoneThrough({ text: { words, edits } }: { text: ResultText }) {
  const [state, setState] = useState<'idle' | 'counting' | 'failed'>('idle')
  if (words.checked)
    return (
      <p role="status" className="mt-2">
        {accuracySentence(words.checked)}
      </p>
    )
  if (!edits) return null
  return (
    <p className="mt-2">
      Have you gone through all of it?{' '}
      <button
        type="button"
        className="min-h-6 text-link pointer-coarse:-my-2.5 pointer-coarse:min-h-11"
        aria-busy={state === 'counting'}
        onClick={async () => {
          setState('counting')
          setState((await edits.measure()) ? 'idle' : 'failed')
        }}
      >
        Count what was right
      </button>
      {state === 'failed' ? <span role="alert"> It could not be counted. Try again.</span> : null}
    </p>
  )
}

/** Takes back every change of the text. The user is asked first, and can undo it. */
function RestoreAll({ text: { words, edits } }: { text: ResultText }) {
  const [isAsking, setAsking] = useState(false)
  const edited = words.turns.filter(({ isEdited }) => isEdited).length
  if (!edits || (edited === 0 && !words.fixed)) return null
  return (
    <p className="mt-2">
      {edited > 0
        ? `${edited} ${edited === 1 ? 'turn was' : 'turns were'} corrected by hand. `
        : null}
      <button
        type="button"
        className="min-h-6 text-link pointer-coarse:-my-2.5 pointer-coarse:min-h-11"
        onClick={() => setAsking(true)}
      >
        Restore the original text
      </button>
      <ConfirmAlert
        open={isAsking}
        title="Restore the original text?"
        description="All turns become what the engine wrote, with its speakers. You can undo this."
        keep="Keep the corrections"
        verb="Restore the original"
        onKeep={() => setAsking(false)}
        onAct={() => {
          void edits.restoreAll(words.revision)
          setAsking(false)
        }}
      />
    </p>
  )
}
