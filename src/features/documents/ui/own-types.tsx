import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { useCapabilities } from '#web/capabilities.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'

import type { DocumentTypeId } from '../contract.ts'
import { documentTypesQuery } from './queries.ts'
import { TemplateDialog } from './template-dialog.tsx'

/** A button for a new type of one's own, where a model can write by it. The new type is then chosen. */
export function OwnTypes({ onMade }: { onMade: (type: { id: DocumentTypeId }) => void }) {
  const can = useCapabilities()
  const { data } = useQuery(documentTypesQuery)
  const [isOpen, setOpen] = useState(false)
  if (!can('documentsByModel') || !data) return null
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button size="small" icon={<Plus />} onClick={() => setOpen(true)}>
        New type of document
      </Button>
      {data.some(({ isOwn }) => isOwn) ? (
        <Link to={paths.accountTemplates} className="text-link text-small">
          Change your types
        </Link>
      ) : null}
      {isOpen ? (
        <TemplateDialog
          onSaved={({ id }) => onMade({ id: `template:${id}` })}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </div>
  )
}
