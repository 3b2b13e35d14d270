/** Lets the browser fetch a download by itself: it is not read into the memory of the page. */
export function saveFrom(address: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = ''
  link.click()
}

/** Hands a file to the browser's downloads, as a press on a link to it does. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The address is freed later, because some browsers read it after `click` has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
