/**
 * Tells the page how much of it something covers, as a property that styles read, for as long as it is
 * there.
 */
export function tellHeight(
  name: `--${string}`,
  element: HTMLElement,
  heightOf = () => element.offsetHeight,
): () => void {
  const { style } = document.documentElement
  const tell = () => style.setProperty(name, `${heightOf()}px`)
  tell()
  const observer = new ResizeObserver(tell)
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty(name)
  }
}
