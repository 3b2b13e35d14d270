import { type Formatted, copyToClipboard } from './clipboard.ts'
import { toast } from './ui/toast.tsx'

/** Copies a text and says so; false when the browser did not allow it. */
export async function copyText(text: string | Formatted, failure: string): Promise<boolean> {
  try {
    await copyToClipboard(text)
  } catch {
    // The user or the browser forbids it. Nothing was copied.
    toast({ title: failure, variant: 'destructive' })
    return false
  }
  toast({ title: 'Copied to clipboard' })
  return true
}
