/** The decisions that transcribing again left, and whether the panel that asks for them is shown. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'

import { toast } from '#web/ui/toast.tsx'

import { againQuery } from './again-query.ts'
import { type Carried, allIn, isOpen, lostIn, namesIn } from './again-words.ts'

export interface CarriedState {
  carried: Carried | null
  /** Until when the earlier text is kept; null where there is none. */
  keptUntil: string | null
  /** The panel stands beside the text, until everything is decided or it is closed. */
  isShown: boolean
  close: () => void
  /** Seconds of the corrections that are still without a place. */
  marks: readonly number[]
  /** Another tab shows a newer text than this one. */
  isNewElsewhere: boolean
}

const none: readonly number[] = []

/** The panel that is shown comes back with the next visit, as long as something is open. */
export function useCarried(id: string): CarriedState {
  const { data } = useQuery(againQuery(id))
  const carried = data?.carried ?? null
  const keptUntil = data?.earlier?.keptUntil ?? null
  // Each new text has a panel of its own, and so have other speakers.
  const names = carried ? namesIn(carried).map(({ speaker, name }) => `${speaker} ${name}`) : []
  const text = [keptUntil, ...names].join()
  const [panel, setPanel] = useState<{ text: string; isClosed: boolean } | null>(null)
  if (panel?.text !== text && carried?.questions.some(isOpen)) setPanel({ text, isClosed: false })
  const known = data ? keptUntil : undefined
  useTellNewText(id, carried, known)
  const isNewElsewhere = useNewElsewhere(id, known)
  const isShown = carried !== null && panel?.text === text && !panel.isClosed
  const marks = useMemo(
    () =>
      isShown
        ? lostIn(carried)
            .filter(isOpen)
            .map(({ start }) => start)
        : none,
    [isShown, carried],
  )
  return {
    carried,
    keptUntil,
    isShown,
    close: () => setPanel({ text, isClosed: true }),
    marks,
    isNewElsewhere,
  }
}

/**
 * Tells the other tabs of a text that came while this one was open, and answers whether one of them
 * has told of another. `keptUntil` tells texts apart; it is undefined until it is known.
 */
function useNewElsewhere(id: string, keptUntil: string | null | undefined): boolean {
  const [told, setTold] = useState<string | null>(null)
  const before = useRef(keptUntil)
  useEffect(() => {
    const channel = new BroadcastChannel(`text:${id}`)
    const hear = ({ data }: MessageEvent<string>) => setTold(data)
    channel.addEventListener('message', hear)
    if (before.current !== undefined && keptUntil && keptUntil !== before.current)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has but one
      channel.postMessage(keptUntil)
    before.current = keptUntil
    return () => channel.close()
  }, [id, keptUntil])
  return told !== null && told !== keptUntil
}

const toldKey = (id: string) => `again-told:${id}`
const WENT_BACK = 'went back'

/** The text that is there next is the earlier one, of which nothing is said: it is not new. */
export const tellNothingOfEarlier = (id: string) => localStorage.setItem(toldKey(id), WENT_BACK)

/**
 * Says once of a new text that all corrections are in it; without any, that it is there, when it came
 * while the one before was read.
 */
function useTellNewText(
  id: string,
  carried: Carried | null,
  keptUntil: string | null | undefined,
): void {
  const placed = carried?.questions.length === 0 ? carried.placed : 0
  const before = useRef(keptUntil)
  useEffect(() => {
    const isNews = before.current !== undefined && before.current !== keptUntil
    before.current = keptUntil
    if (!keptUntil) return
    const told = localStorage.getItem(toldKey(id))
    if (told === keptUntil || (placed === 0 && told !== WENT_BACK && !isNews)) return
    localStorage.setItem(toldKey(id), keptUntil)
    if (told !== WENT_BACK)
      toast({ title: placed > 0 ? `New text. ${allIn(placed)}.` : 'The new text is here' })
  }, [id, placed, keptUntil])
}
