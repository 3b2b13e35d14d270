import { useEffect, useEffectEvent, useState } from 'react'

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false

/**
 * Files dropped anywhere on the page. True while some are held over it, until they leave or Escape.
 */
export function useWindowDrop({
  isOn,
  onFiles,
}: {
  isOn: boolean
  onFiles: (files: File[]) => void
}): boolean {
  const [isOver, setOver] = useState(false)
  const drop = useEffectEvent(onFiles)
  // A question on the page has to be answered first.
  const isFree = useEffectEvent(() => isOn && !document.querySelector('[data-scrim]'))
  useEffect(() => {
    // The window hears of every element that is entered and left. The file has gone when all were
    // left.
    let depth = 0
    const leaveAll = () => {
      depth = 0
      setOver(false)
    }
    const over = new AbortController()
    const on = <Name extends keyof WindowEventMap>(
      name: Name,
      hear: (event: WindowEventMap[Name]) => void,
    ) => window.addEventListener(name, hear, { signal: over.signal })
    on('dragenter', (event) => {
      if (!hasFiles(event)) return
      depth += 1
      if (isFree()) setOver(true)
    })
    on('dragleave', (event) => {
      if (!hasFiles(event)) return
      depth -= 1
      if (depth <= 0) leaveAll()
    })
    on('dragover', (event) => {
      // Otherwise the browser would open the file in place of the page.
      if (hasFiles(event)) event.preventDefault()
    })
    on('drop', (event) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      leaveAll()
      if (isFree()) drop([...(event.dataTransfer?.files ?? [])])
    })
    on('keydown', (event) => {
      if (event.key === 'Escape') leaveAll()
    })
    return () => over.abort()
  }, [])
  return isOver && isOn
}
