import { useId } from 'react'

import { TranslationChoice } from '#features/translations/ui/translation-choice.tsx'
import type { ShownTranslation } from '#features/translations/ui/use-translation.ts'
import { Popover } from '#web/ui/popover.tsx'
import { Switch } from '#web/ui/switch.tsx'

import { setTextSize, textSizes, useTextSize } from './reading/use-text-size.ts'
import type { Result } from './result.ts'
import {
  type Setting,
  follows,
  playsEach,
  printsSummary,
  timesAtEachTurn,
  underlines,
} from './settings.ts'
import { useSetting } from './use-setting.ts'

interface LookProps {
  result: Result
  shown: ShownTranslation
}

/** How the text is shown: beside the button Aa, and on a narrow screen as a sheet. */
export function LookPopover(props: LookProps) {
  const { view } = props.result
  return (
    <Popover
      title="How the text is shown"
      wide="(width >= 64rem)"
      className="py-3!"
      anchor={view.overFrom}
      onClose={() => view.close('look')}
      focusAfter={() => view.overFrom?.focus()}
    >
      <Look {...props} />
    </Popover>
  )
}

function Look({ result: { text, sound }, shown }: LookProps) {
  const { transcription, words, toCheck, checks } = text
  return (
    <>
      <TextSizes />
      {sound.player ? <Setting label="Follow the playhead" of={follows} /> : null}
      {toCheck.length > 0 ? <Setting label="Underline doubt" of={underlines} /> : null}
      <Setting label="Times at every turn" of={timesAtEachTurn} />
      {/* On a wide screen it is in the panel of the words to check; the sheet has no room for it. */}
      {sound.player && checks.length > 0 ? (
        <div className="lg:hidden">
          <Setting label="Play each word to check" of={playsEach} />
        </div>
      ) : null}
      {transcription.summary ? <Setting label="Print the summary" of={printsSummary} /> : null}
      <TranslationChoice
        id={transcription.id}
        revision={words.revision}
        spoken={transcription.language}
        shown={shown}
        className="mt-2 border-t border-rule pt-3"
      />
    </>
  )
}

function Setting({ label, of }: { label: string; of: Setting }) {
  return (
    <Switch
      label={label}
      className="[&_label]:min-h-10.5"
      checked={useSetting(of)}
      onChange={of.set}
    />
  )
}

function TextSizes() {
  const chosen = useTextSize()
  const name = useId()
  return (
    <fieldset className="flex min-h-11 items-center justify-between gap-4">
      <legend className="contents">
        <span className="mr-auto">Text size</span>
      </legend>
      <div className="flex h-9.5 divide-x divide-line overflow-hidden rounded-control border border-line has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus pointer-coarse:h-11">
        {textSizes.map((size) => (
          <label
            key={size.name}
            className="grid w-10 cursor-pointer place-items-center hover:bg-paper-2 has-checked:bg-primary has-checked:font-semibold has-checked:text-primary-fg pointer-coarse:w-12"
            style={{ fontSize: `${size.rem - 0.125}rem` }}
          >
            <input
              type="radio"
              name={name}
              aria-label={size.name}
              className="sr-only"
              checked={size === chosen}
              onChange={() => setTextSize(size)}
            />
            <span aria-hidden="true">A</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
