import { WithBars } from '#web/ui/with-bars.tsx'

/** The name of a chapter; that of one that is cut is struck, as its words are. */
export function ChapterTitle({
  title,
  isOut,
  isPlain = false,
}: {
  title: string
  isOut: boolean
  /** Within a button, where a bar is none. */
  isPlain?: boolean
}) {
  const name = <WithBars isPlain={isPlain} text={title} />
  if (!isOut) return name
  return (
    <>
      <s className="font-normal text-ink-3">{name}</s>
      <span className="sr-only">, cut</span>
    </>
  )
}
