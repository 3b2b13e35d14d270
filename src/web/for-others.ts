/** What is copied or shared from a page goes to others, so it is without what is hidden from them. */
import { useLayoutEffect } from 'react'

import type { Veil } from '#shared/bars.ts'

import type { Formatted } from './clipboard.ts'

/** Those of the recordings that are open. */
const veils = new Set<Veil>()

export const veilsInUse = (): Veil[] => [...veils].filter(({ isEmpty }) => !isEmpty)

/** All that leaves the page meanwhile is without what it hides. */
export function hideWhatLeaves(veil: Veil): () => void {
  veils.add(veil)
  return () => veils.delete(veil)
}

/** Before anything can be pressed. */
export function useHidesWhatLeaves(veil: Veil): void {
  useLayoutEffect(() => hideWhatLeaves(veil), [veil])
}

const hidden = (text: string): string => veilsInUse().reduce((left, { hide }) => hide(left), text)

/** The text as others may read it. To be called on words, not on addresses. */
export function forOthers<Text extends string | Formatted>(text: Text): Text
export function forOthers(text: string | Formatted): string | Formatted {
  if (typeof text === 'string') return hidden(text)
  const plain = hidden(text.plain)
  return { plain, html: plain === text.plain ? text.html : hiddenInHtml(text.html) }
}

/** Letters that are written as signs of HTML are hidden as what they are. */
function hiddenInHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode } = texts
    currentNode.nodeValue = hidden(currentNode.nodeValue ?? '')
  }
  return body.innerHTML
}
