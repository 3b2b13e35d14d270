import { Languages, MessageCircleQuestionMark } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'

import { TranslationDialog } from '#features/translations/ui/translation-dialog.tsx'
import {
  type ShownTranslation,
  useHasTranslations,
} from '#features/translations/ui/use-translation.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { FindBar } from '../find/find-bar.tsx'
import type { Reader } from '../reader.ts'
import { underlines } from '../settings.ts'
import type { useTextSize } from './use-text-size.ts'
import { ReplaceBox } from '../find/replace-box.tsx'
import { SaveState } from '../save-state.tsx'
import type { Step } from './editor-acts.ts'
import type { Checking } from '../checking/use-checking.ts'
import type { useFollowing } from './use-following.ts'
import type { Search } from '../find/use-search.ts'

/** The row above the text: search, words to check, how the text is shown, and whether it is saved. */
export function ReadingTools({
  reader,
  search,
  isEditing,
  onStep,
  onReplace,
  onReplaced,
  field,
  checking,
  checkToggle,
  askToggle,
  onAsk,
  following: { isFollowing, setFollowing },
  isUnderlined,
  textSize: [size, nextSize],
  shown,
}: {
  reader: Reader
  search: Search
  isEditing: boolean
  onStep: Step
  onReplace: () => void
  /** Find and replace is closed. */
  onReplaced: () => void
  field: RefObject<HTMLInputElement | null>
  checking: Checking
  checkToggle: RefObject<HTMLButtonElement | null>
  askToggle: RefObject<HTMLButtonElement | null>
  /** Opens the questions to the recording, or closes them. */
  onAsk: () => void
  following: ReturnType<typeof useFollowing>
  isUnderlined: boolean
  textSize: ReturnType<typeof useTextSize>
  shown: ShownTranslation
}) {
  const { player, edits, saved, isReplacing } = reader
  const count = checking.items.length
  const isChecking = checking.isOpen
  const saveState = edits ? (
    <SaveState edits={edits} saved={saved} onUndo={() => void onStep('undo')} />
  ) : null
  if (isReplacing)
    return (
      <div className="grid gap-2.5">
        <ReplaceBox
          field={field}
          reader={reader}
          search={search}
          isEditing={isEditing}
          onClose={onReplaced}
        />
        {saveState}
      </div>
    )
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <FindBar field={field} search={search} onReplace={edits ? onReplace : null} />
      {count > 0 || isChecking ? (
        <Button
          ref={checkToggle}
          size="small"
          aria-expanded={isChecking}
          onClick={isChecking ? checking.close : () => checking.open()}
        >
          Words to check
          <span className="tabular-nums">{count.toLocaleString('en-US')}</span>
        </Button>
      ) : null}
      {player ? (
        <Toggle isOn={isFollowing} onChange={setFollowing}>
          Follow
        </Toggle>
      ) : null}
      {count > 0 ? (
        <Toggle isOn={isUnderlined} onChange={underlines.set}>
          Underline doubt
        </Toggle>
      ) : null}
      {/* On a phone it is in the menu of the result. */}
      <Button
        ref={askToggle}
        size="small"
        className="max-sm:hidden"
        icon={<MessageCircleQuestionMark />}
        aria-expanded={reader.panel === 'ask'}
        onClick={onAsk}
      >
        Ask
      </Button>
      {/* The tools stay in one row: beside a panel, and while the search shows its hits, there is no room. */}
      {reader.panel !== null || search.wanted.trim() !== '' ? null : (
        <Button
          size="small"
          className="px-3! max-sm:hidden"
          aria-label={`A± text size: ${size.name}`}
          data-tip={`Text size: ${size.name}`}
          onClick={nextSize}
        >
          A±
        </Button>
      )}
      {reader.panel === null ? <TranslationButton reader={reader} shown={shown} /> : null}
      {saveState}
    </div>
  )
}

/** The menu of the result has it, too: on phones, and beside a panel. */
function TranslationButton({
  reader: { transcription, words },
  shown,
}: {
  reader: Reader
  shown: ShownTranslation
}) {
  const isThere = useHasTranslations(transcription.id, words.revision)
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  if (!isThere && !isOpen) return null
  return (
    <>
      <Button
        ref={button}
        size="small"
        className="px-3! max-sm:hidden"
        icon={<Languages />}
        aria-label="Translation"
        data-tip="Translation"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen ? (
        <TranslationDialog
          id={transcription.id}
          revision={words.revision}
          spoken={transcription.language}
          onChoose={shown.choose}
          onClose={() => setOpen(false)}
          focusAfter={() => button.current?.focus()}
        />
      ) : null}
    </>
  )
}

function Toggle({
  isOn,
  onChange,
  children,
}: {
  isOn: boolean
  onChange: (on: boolean) => void
  children: string
}) {
  return (
    <label
      className={classes(
        'inline-flex h-9 cursor-pointer items-center gap-2.5 rounded-control border border-line px-3 text-small font-semibold hover:bg-paper-2 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:h-11',
        'max-sm:h-11',
      )}
    >
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-primary outline-none"
      />
      {children}
    </label>
  )
}
