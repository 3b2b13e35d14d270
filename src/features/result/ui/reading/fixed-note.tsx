import { Replace, X } from 'lucide-react'
import { Link } from 'react-router'

import type { Words } from '#features/text/contract.ts'
import { paths } from '#web/paths.ts'
import { Button, IconButton } from '#web/ui/button.tsx'

import type { ResultText } from '../text.ts'
import { useHidden } from '../use-setting.ts'

/** Says that fixed replacements were made in this recording, and takes them back. */
export function FixedNote({
  text: { transcription, edits },
  fixed,
}: {
  text: ResultText
  fixed: NonNullable<Words['fixed']>
}) {
  const [isHidden, hide] = useHidden(`fixed-note-hidden:${transcription.id}`)
  if (isHidden || !edits) return null
  return (
    <div
      role="note"
      aria-label="Fixed replacements"
      className="mt-3 mb-1 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-panel border border-line py-2 pr-2 pl-4 text-ui print:hidden"
    >
      <Replace size={20} className="shrink-0 text-ink-2" />
      <p className="min-w-[14rem] flex-1">
        {fixed.replaced === 1
          ? '1 fixed replacement of your '
          : `${fixed.replaced.toLocaleString('en-US')} fixed replacements of your `}
        <Link className="text-link" to={paths.accountVocabulary}>
          vocabulary
        </Link>
        {fixed.replaced === 1 ? ' was made.' : ' were made.'}
      </p>
      <Button
        size="small"
        onClick={() => {
          hide()
          void edits.takeBack(fixed.edit)
        }}
      >
        Undo
      </Button>
      <IconButton label="Hide this note" className="ml-auto" onClick={hide}>
        <X />
      </IconButton>
    </div>
  )
}
