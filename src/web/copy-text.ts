import { type Formatted, copyToClipboard } from './clipboard.ts'
import { forOthers } from './for-others.ts'
import { toast } from './ui/toast.tsx'

/**
 * Copies a text as others may read it, and says so with what is to be known of it; false when the browser
 * did not allow it.
 */
export async function copyText(
  text: string | Formatted,
  failure: string,
  note?: string,
): Promise<boolean> {
  try {
    await copyToClipboard(forOthers(text))
  } catch {
    // The user or the browser forbids it. Nothing was copied.
    toast({ title: failure, variant: 'destructive' })
    return false
  }
  toast({ title: 'Copied to clipboard', ...(note === undefined ? {} : { description: note }) })
  return true
}
