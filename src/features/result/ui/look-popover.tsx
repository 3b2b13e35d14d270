import { Popover } from 'radix-ui'
import { useId } from 'react'

import { TranslationChoice } from '#features/translations/ui/translation-choice.tsx'
import type { ShownTranslation } from '#features/translations/ui/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useMedia } from '#web/use-media.ts'

import { setTextSize, textSizes, useTextSize } from './reading/use-text-size.ts'
import type { Result } from './result.ts'
import { type Setting, follows, printsSummary, timesAtEachTurn, underlines } from './settings.ts'
import { useSetting } from './use-setting.ts'

interface LookProps {
  result: Result
  shown: ShownTranslation
}

/** How the text is shown: beside the button Aa, and on a narrow screen as a sheet. */
export function LookPopover(props: LookProps) {
  const { view } = props.result
  const isWide = useMedia('(width >= 64rem)')
  const onOpenChange = () => view.close('look')
  if (!isWide)
    return (
      <Dialog
        open
        title="How the text is shown"
        onOpenChange={onOpenChange}
        focusAfter={() => view.overFrom?.focus()}
      >
        <div className="mt-3">
          <Look {...props} />
        </div>
      </Dialog>
    )
  return (
    <Popover.Root open onOpenChange={onOpenChange}>
      <Popover.Anchor virtualRef={{ current: view.overFrom ?? document.body }} />
      <Popover.Content
        align="end"
        sideOffset={8}
        collisionPadding={16}
        aria-label="How the text is shown"
        // The button of it closes it by itself.
        onPointerDownOutside={(event) => {
          if (view.overFrom?.contains(event.target as Node)) event.preventDefault()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          view.overFrom?.focus()
        }}
        className="z-30 max-h-(--radix-popover-content-available-height) w-80 overflow-y-auto rounded-panel border border-rule bg-card px-4 py-3 text-ui text-ink shadow-float data-[state=open]:animate-fade-in"
      >
        <Look {...props} />
      </Popover.Content>
    </Popover.Root>
  )
}

function Look({ result: { text, sound }, shown }: LookProps) {
  const { transcription, words, toCheck } = text
  return (
    <>
      <TextSizes />
      {sound.player ? <Setting label="Follow the playhead" of={follows} /> : null}
      {toCheck.length > 0 ? <Setting label="Underline doubt" of={underlines} /> : null}
      <Setting label="Times at every turn" of={timesAtEachTurn} />
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
