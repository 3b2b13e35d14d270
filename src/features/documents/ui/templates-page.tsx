import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'

import { AccountHead, Section } from '#features/account/ui/account-section.tsx'
import { useUser } from '#features/account/ui/auth.tsx'
import { Loaded } from '#features/account/ui/loaded.tsx'
import { DOCUMENT_CREDITS, MOST_TEMPLATES } from '#shared/business.ts'
import { sentenceOf } from '#web/api.ts'
import { capabilitiesQuery } from '#web/capabilities.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { EmptyPad } from '#web/ui/empty-pad.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import type { DocumentTemplate } from '../contract.ts'
import { hasDocuments } from './queries.ts'
import { TemplateDialog } from './template-dialog.tsx'
import { draftOf, rangeOf } from './template-draft.ts'
import { templatesQuery, useDeleteTemplate, useSaveTemplate } from './template-queries.ts'

/** The types of documents that somebody has described. */
export default function TemplatesPage() {
  const user = useUser()
  const capabilities = useQuery(capabilitiesQuery)
  const why = capabilities.data && whyNone({ ...capabilities.data, isOffered: hasDocuments(user) })
  return (
    <>
      <AccountHead title="Document types">
        {why ??
          `Types of documents that you describe in your own words. They are offered beside the others, for ${CREDITS} a document.`}
      </AccountHead>
      <Loaded query={capabilities} what="your types">
        {() => (why === null ? <Own /> : null)}
      </Loaded>
    </>
  )
}

const CREDITS = `${DOCUMENT_CREDITS} ${DOCUMENT_CREDITS === 1 ? 'credit' : 'credits'}`

/** Why somebody can have no types of their own; null where they can. */
function whyNone(can: { documentsByModel: boolean; isOffered: boolean }): string | null {
  if (!can.isOffered) return 'Documents are part of Professional.'
  if (can.documentsByModel) return null
  return 'A type of document that you describe in your own words needs a language model, and this server has none. Whoever runs it can set one up with LLM_BASE_URL and LLM_MODEL. Types that you have described before are kept.'
}

type Editing = { template: DocumentTemplate | null }

function Own() {
  const query = useQuery(templatesQuery)
  const [editing, setEditing] = useState<Editing | null>(null)
  // The page deletes, not the row: that is gone before it could offer to undo it.
  const { mutate: remove, isPending } = useDeleteTemplate()
  const { mutate: bringBack } = useSaveTemplate(null)
  const deleteOne = (template: DocumentTemplate) => {
    if (isPending) return
    const undo = () =>
      bringBack(draftOf(template), {
        onError: (error) => toastFailure('Not brought back', sentenceOf(error)),
      })
    remove(template, {
      onSuccess: () =>
        toast({ title: `${template.name} deleted`, action: { label: 'Undo', onPress: undo } }),
      onError: (error) => toastFailure('Not deleted', sentenceOf(error)),
    })
  }
  const add = (
    <Button size="small" icon={<Plus />} onClick={() => setEditing({ template: null })}>
      New type of document
    </Button>
  )
  return (
    <Loaded query={query} what="your types">
      {({ templates }) => (
        <Section
          title={
            <>
              Yours{' '}
              <span className="font-sans text-small font-normal text-ink-2 tabular-nums">
                {templates.length} of {MOST_TEMPLATES}
              </span>
            </>
          }
          action={templates.length > 0 && templates.length < MOST_TEMPLATES ? add : undefined}
        >
          {templates.length === 0 ? (
            <EmptyPad
              className="mt-5"
              text="No types of your own yet. Say what a document is to be, and see it written of our sample before you save it."
              action={add}
            />
          ) : (
            <ul className="mt-5 border-t border-line" aria-label="Your types of documents">
              {templates.map((template) => (
                <Row
                  key={template.id}
                  template={template}
                  onChange={() => setEditing({ template })}
                  onDelete={() => deleteOne(template)}
                />
              ))}
            </ul>
          )}
          {editing ? <TemplateDialog {...editing} onClose={() => setEditing(null)} /> : null}
        </Section>
      )}
    </Loaded>
  )
}

function Row({
  template,
  onChange,
  onDelete,
}: {
  template: DocumentTemplate
  onChange: () => void
  onDelete: () => void
}) {
  const { name, instructions, length } = template
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 border-b border-rule py-3">
      <div className="min-w-0">
        <p className="font-semibold wrap-anywhere">{name}</p>
        <p className="line-clamp-2 text-small whitespace-pre-line text-ink-2 wrap-anywhere">
          {instructions}
        </p>
        <p className="mt-0.5 text-small text-ink-2 tabular-nums">{rangeOf(length)}</p>
      </div>
      <span className="flex">
        <IconButton label={`Change ${name}`} onClick={onChange}>
          <Pencil />
        </IconButton>
        <IconButton label={`Delete ${name}`} onClick={onDelete}>
          <Trash2 />
        </IconButton>
      </span>
    </li>
  )
}
