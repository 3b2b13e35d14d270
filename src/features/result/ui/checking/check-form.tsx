import { Play } from 'lucide-react'
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react'

import type { CheckItem } from '#features/text/ui/check-items.ts'
import { counted } from '#shared/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { Field, inputClasses } from '#web/ui/field.tsx'

import type { Checking } from './use-checking.ts'

/**
 * The buttons of the panel. In a low sheet they stay in sight while what is above them scrolls; in a
 * narrow one there is room for their words alone.
 */
export const actsClasses =
  'flex gap-2 max-[24rem]:*:[&>svg]:hidden max-lg:sticky max-lg:-bottom-5 max-lg:-mb-5 max-lg:bg-card max-lg:pb-5'

const LABEL_PX = 36

/** Corrects a word, or all that are written alike. Enter saves, Escape leaves the word as it is. */
export function CheckForm({ checking, item }: { checking: Checking; item: CheckItem }) {
  const { setCorrecting, correct, play } = checking
  // Found once: while it is saved, the words change under it.
  const [alike] = useState(() => checking.alikeTo(item))
  const count = alike.places.length
  const [text, setText] = useState(item.word)
  const [isForAll, setForAll] = useState(count > 1 && alike.isMostlyDoubtful)
  const [problem, setProblem] = useState<string | null>(null)
  const [isSaving, setSaving] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const element = field.current
    // Focused by hand at once: a phone shows its keyboard only for what a press has focused.
    element?.focus({ preventScroll: true })
    element?.select()
    const panel = element?.closest<HTMLElement>('section')
    // A low sheet scrolls to it and its label; the page stays.
    if (panel && element)
      panel.scrollTop +=
        element.getBoundingClientRect().top - panel.getBoundingClientRect().top - LABEL_PX
    // The field is gone then; the panel has the focus, so that single keys act.
    return () => {
      panel?.focus({ preventScroll: true })
      panel?.scrollTo({ top: 0 })
    }
  }, [])

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isSaving) return
    setSaving(true)
    setProblem(await correct(text.trim(), isForAll ? alike : null))
    setSaving(false)
  }
  return (
    <form onSubmit={save} className="mt-3">
      <Field label={`Correct “${item.word}” to`} error={problem ?? undefined}>
        {(control) => (
          <div className="flex gap-2">
            <input
              {...control}
              ref={field}
              type="text"
              dir="auto"
              autoComplete="off"
              enterKeyHint="done"
              maxLength={200}
              value={text}
              onChange={(event) => setText(event.target.value)}
              className={inputClasses}
            />
            {play ? (
              <IconButton label="Play again" className="shrink-0 border border-line" onClick={play}>
                <Play />
              </IconButton>
            ) : null}
          </div>
        )}
      </Field>
      {count > 1 ? (
        <Checkbox
          className="mt-2 text-ui"
          checked={isForAll}
          onChange={(event) => setForAll(event.target.checked)}
        >
          Fix all {count.toLocaleString('en-US')} in this recording
        </Checkbox>
      ) : null}
      <div className={classes(actsClasses, 'mt-3')}>
        <Button
          type="submit"
          size="small"
          variant="primary"
          className="flex-1 max-lg:order-last"
          pending={isSaving}
        >
          {problem === null ? saveLabel(text.trim(), isForAll ? count : 1) : 'Try again'}
        </Button>
        <Button size="small" onClick={() => setCorrecting(false)}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function saveLabel(text: string, count: number): string {
  if (text === '') return count === 1 ? 'Remove the word' : `Remove ${counted(count, 'word')}`
  return count === 1 ? 'Save correction' : `Save ${counted(count, 'correction')}`
}
