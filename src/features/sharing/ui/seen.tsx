import type { Share } from '../contract.ts'
import { seenAndEnd } from './link-words.ts'

/** How often a link was opened, when last, and when it ends. */
export function Seen({ share }: { share: Share }) {
  const [seen, end] = seenAndEnd(share)
  return (
    <span>
      {seen} · <span className="whitespace-nowrap">{end}</span>
    </span>
  )
}
