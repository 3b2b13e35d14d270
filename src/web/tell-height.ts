/**
 * Tells the page how much of it something covers, as a property that styles read, for as long as it is
 * there. `also`: another part that it depends on.
 */
export function tellHeight(
  name: `--${string}`,
  element: HTMLElement,
  heightOf = () => element.offsetHeight,
  also: HTMLElement | null = null,
): () => void {
  const { style } = document.documentElement
  const tell = () => style.setProperty(name, `${heightOf()}px`)
  tell()
  const observer = new ResizeObserver(tell)
  observer.observe(element)
  if (also) observer.observe(also)
  return () => {
    observer.disconnect()
    style.removeProperty(name)
  }
}
