import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { type OwnLength, ownLengths, ownParts } from '#features/writing/contract.ts'
import { LONGEST_INSTRUCTIONS, LONGEST_TEMPLATE_NAME } from '#shared/business.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { ConfirmAlert, Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Field, TextField, inputClasses } from '#web/ui/field.tsx'
import { Failure } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { toast } from '#web/ui/toast.tsx'

import type { DocumentTemplate, WriteTemplate } from '../contract.ts'
import {
  EXAMPLE,
  draftOf,
  isSame,
  newDraft,
  partNames,
  problemsWith,
  rangeOf,
} from './template-draft.ts'
import { templatesQuery, useSaveTemplate, useTrial } from './template-queries.ts'
import { TemplateTrial } from './template-trial.tsx'

const lengths = Object.keys(ownLengths) as OwnLength[]
const lengthNames: Record<OwnLength, string> = { short: 'Short', middle: 'Medium', long: 'Long' }

/** A type of document, described in words of one's own and tried on the sample before it is saved. */
export function TemplateDialog({
  template = null,
  onSaved,
  onClose,
}: {
  /** The one that is changed; null for a new one. */
  template?: DocumentTemplate | null
  onSaved?: (saved: DocumentTemplate) => void
  onClose: () => void
}) {
  const before = template ? draftOf(template) : newDraft
  const [draft, setDraft] = useState(before)
  const [isAsked, setAsked] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const [tried, setTried] = useState<WriteTemplate | null>(null)
  const save = useSaveTemplate(template?.id ?? null)
  const trial = useTrial()
  const trialsLeft = useQuery(templatesQuery).data?.trialsLeft
  const problems = problemsWith(draft)
  const shown = isAsked ? problems : { name: undefined, instructions: undefined }
  const change = (part: Partial<WriteTemplate>) => setDraft({ ...draft, ...part })
  const leave = () => (isSame(draft, before) ? onClose() : setLeaving(true))

  const store = () => {
    setAsked(true)
    if (problems.name || problems.instructions || save.isPending) return
    save.mutate(draft, {
      onSuccess: (saved) => {
        toast({ title: `${saved.name} saved` })
        onSaved?.(saved)
        onClose()
      },
    })
  }
  const begin = () => {
    if (problems.instructions) return setAsked(true)
    setTried(draft)
    const { name, ...rest } = draft
    return trial.begin(name.trim() === '' ? rest : draft)
  }

  return (
    <>
      <Dialog
        open
        onOpenChange={leave}
        title={template ? `Change ${template.name}` : 'New type of document'}
        isHeadKept
        className="lg:w-[min(66rem,calc(100vw-4rem))]!"
      >
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            store()
          }}
        >
          <div className="mt-5 grid gap-x-8 gap-y-8 lg:grid-cols-2">
            <div className="grid min-w-0 content-start gap-y-6">
              <TextField
                label="Name"
                placeholder="Weekly report"
                maxLength={LONGEST_TEMPLATE_NAME}
                value={draft.name}
                onChange={(event) => change({ name: event.target.value })}
                error={shown.name}
              />
              <div>
                <Field
                  label="What it is to be"
                  error={shown.instructions}
                  hint={
                    <>
                      For whom it is, what comes first, which headings.{' '}
                      <span className="tabular-nums">
                        {draft.instructions.length.toLocaleString('en-US')} of{' '}
                        {LONGEST_INSTRUCTIONS.toLocaleString('en-US')}
                      </span>
                    </>
                  }
                >
                  {(control) => (
                    <textarea
                      {...control}
                      rows={7}
                      maxLength={LONGEST_INSTRUCTIONS}
                      value={draft.instructions}
                      onChange={(event) => change({ instructions: event.target.value })}
                      className={classes(
                        inputClasses,
                        'field-sizing-content h-auto! max-h-96 min-h-44 py-3 leading-6',
                      )}
                    />
                  )}
                </Field>
                {draft.instructions === '' ? (
                  <Button
                    size="small"
                    className="mt-3"
                    onClick={() => change({ instructions: EXAMPLE })}
                  >
                    Begin with an example
                  </Button>
                ) : null}
              </div>
              <div>
                <Segments
                  label="Length"
                  value={draft.length}
                  onChange={(length) => change({ length })}
                  choices={lengths.map((value) => ({ value, label: lengthNames[value] }))}
                />
                <p className="mt-2 text-small text-ink-2 tabular-nums" aria-live="polite">
                  {rangeOf(draft.length)}, or fewer where little was said.
                </p>
              </div>
              <fieldset>
                <legend className="mb-1 text-ui leading-5 font-semibold">It shows</legend>
                <div className="grid gap-x-6 sm:grid-cols-2">
                  {ownParts.map((part) => (
                    <Checkbox
                      key={part}
                      checked={draft.parts.includes(part)}
                      onChange={(event) =>
                        change({
                          parts: event.target.checked
                            ? [...draft.parts, part]
                            : draft.parts.filter((each) => each !== part),
                        })
                      }
                    >
                      {partNames[part]}
                    </Checkbox>
                  ))}
                </div>
                <p className="mt-2 text-small text-ink-2">
                  What is not ticked is left out. Quotes and numbers that nobody said always are.
                  Tables and links are not possible.
                </p>
              </fieldset>
            </div>
            <TemplateTrial
              trial={trial}
              isOfThis={tried !== null && isSame({ ...tried, name: '' }, { ...draft, name: '' })}
              trialsLeft={trialsLeft}
              onBegin={begin}
            />
          </div>
          <Failure error={save.error} otherwise="It was not saved. Please try again." />
          <DialogActions isKept>
            <Button onClick={leave}>Cancel</Button>
            <Button type="submit" variant="primary" pending={save.isPending}>
              Save
            </Button>
          </DialogActions>
        </form>
      </Dialog>
      <ConfirmAlert
        open={isLeaving}
        title="Throw away what you wrote?"
        description="It is not saved yet."
        keep="Keep writing"
        verb="Throw away"
        onKeep={() => setLeaving(false)}
        onAct={onClose}
      />
    </>
  )
}
