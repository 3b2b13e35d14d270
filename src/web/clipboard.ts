/** A text, and the same with its formatting, which word processors take. */
export interface Formatted {
  plain: string
  html: string
}

/** Copies a text, with its formatting where it has one. It fails where the user forbids it. */
export async function copyToClipboard(text: string | Formatted): Promise<void> {
  const { plain, html } = typeof text === 'string' ? { plain: text, html: null } : text
  if (!('clipboard' in navigator)) return copyAsByKey({ plain, html })
  const { clipboard } = navigator
  const takesItems = typeof ClipboardItem === 'function' && typeof clipboard.write === 'function'
  if (html !== null && takesItems) {
    const both = new ClipboardItem({
      'text/plain': new Blob([plain], { type: 'text/plain' }),
      'text/html': new Blob([html], { type: 'text/html' }),
    })
    try {
      await clipboard.write([both])
      return
    } catch {
      // Some browsers take plain text only. Where nothing may be copied, the next line says so.
    }
  }
  await clipboard.writeText(plain)
}

/**
 * A page without https has no clipboard of its own. The text for a key press can be set in its event.
 */
function copyAsByKey({ plain, html }: { plain: string; html: string | null }): void {
  let isSet = false
  const set = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', plain)
    if (html !== null) event.clipboardData?.setData('text/html', html)
    event.preventDefault()
    isSet = true
  }
  document.addEventListener('copy', set, { once: true })
  const isCopied = document.execCommand('copy')
  document.removeEventListener('copy', set)
  if (!isCopied || !isSet) throw new Error('this browser lets the page copy nothing')
}

/**
 * Copies a text that is still being made; false where nothing was made, or the browser forbids it.
 * To be called within the press of a button: some browsers let a page copy only then, and wait for
 * the text.
 */
export async function copyWhenMade(text: Promise<string>): Promise<boolean> {
  const { clipboard } = navigator
  try {
    if (typeof ClipboardItem === 'function' && typeof clipboard?.write === 'function') {
      const made = text.then((plain) => new Blob([plain], { type: 'text/plain' }))
      try {
        await clipboard.write([new ClipboardItem({ 'text/plain': made })])
        return true
      } catch {
        // Some browsers do not wait for a text, and take it afterwards.
      }
    }
    await copyToClipboard(await text)
    return true
  } catch {
    return false
  }
}
