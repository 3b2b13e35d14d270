/** Hands a file to the browser's downloads, as a press on a link to it does. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Not at once: some browsers read the address after the press has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
