/** A text, and the same with its formatting, which word processors take. */
export interface Formatted {
  plain: string
  html: string
}

/** Copies a text. It fails where the user forbids it, and where the page has no https. */
export async function copyToClipboard({ plain, html }: Formatted): Promise<void> {
  const { clipboard } = navigator
  if (typeof ClipboardItem === 'function' && typeof clipboard?.write === 'function') {
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
    await clipboard.writeText(await text)
    return true
  } catch {
    return false
  }
}
