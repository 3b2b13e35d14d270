import { toast } from '#web/ui/toast.tsx'

/** Copies a result and says so; false when the browser did not allow it. */
export async function copyText(text: string, failure: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Denied, or no clipboard on a page without https: nothing was changed.
    toast({ title: failure, variant: 'destructive' })
    return false
  }
  toast({ title: 'Copied to clipboard' })
  return true
}

/** The device's own share sheet; where there is none, the text is copied instead. */
export async function shareText({ title, text }: { title: string; text: string }): Promise<void> {
  if (typeof navigator.share !== 'function') {
    await copyText(text, 'Could not copy to clipboard')
    return
  }
  try {
    await navigator.share({ title, text })
  } catch (error) {
    // Closing the share sheet is an answer, not a failure.
    if (error instanceof DOMException && error.name === 'AbortError') return
    toast({ title: 'Could not share content', variant: 'destructive' })
    return
  }
  toast({ title: 'Shared successfully' })
}
