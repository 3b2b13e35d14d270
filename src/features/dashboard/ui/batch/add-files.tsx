import { Plus } from 'lucide-react'
import { useRef } from 'react'

import { accept } from '#features/recordings/ui/file-rules.ts'
import { Button } from '#web/ui/button.tsx'

/** "Add more": opens the window in which files are chosen. */
export function AddFiles({
  disabled = false,
  onFiles,
}: {
  disabled?: boolean
  onFiles: (files: File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        disabled={disabled}
        accept={accept}
        tabIndex={-1}
        aria-label="More audio or video files"
        className="sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // Without this, choosing the same file again would be no change.
          event.target.value = ''
        }}
      />
      <Button
        size="small"
        icon={<Plus />}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        Add more
      </Button>
    </>
  )
}
