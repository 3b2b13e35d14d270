/** What this browser remembers of checking: where it was left, and how long a word takes. */
import { useState } from 'react'

import { useUser } from '#features/account/ui/auth.tsx'

/** What only this file writes; null where there is nothing. */
const read = (key: string) => JSON.parse(localStorage.getItem(key) ?? 'null')

/** How far somebody came with one recording. */
export interface Progress {
  /** The word that was shown last, and where it is said. */
  word: string
  atMs: number
  /** Items that are done. */
  right: number
  corrected: number
}

const progressKey = (transcriptionId: string) => `checking:${transcriptionId}`
export const noProgress: Progress = { word: '', atMs: 0, right: 0, corrected: 0 }

export function progressOf(transcriptionId: string): Progress {
  return { ...noProgress, ...read(progressKey(transcriptionId)) }
}

export function keepProgress(transcriptionId: string, progress: Progress | null): void {
  if (progress) localStorage.setItem(progressKey(transcriptionId), JSON.stringify(progress))
  else localStorage.removeItem(progressKey(transcriptionId))
}

/** Until a person has checked a few words, each is thought to take this long. */
const FIRST_S = 6
const FEW = 5
const KEPT = 50
/** Who takes longer over a word has left the desk. */
const LONGEST_S = 60

/** In seconds, newest last. */
const timesKey = (userId: string) => `seconds-a-check:${userId}`
const timesOf = (userId: string): number[] => read(timesKey(userId)) ?? []

/** How long a person takes for one item. */
export interface Pace {
  secondsEach: number
  learn: (seconds: number) => void
}

export function usePace(): Pace {
  const { id } = useUser()
  const [secondsEach, setSecondsEach] = useState(() => paceOf(id))
  return {
    secondsEach,
    learn: (seconds) => {
      learnPace(id, seconds)
      setSecondsEach(paceOf(id))
    },
  }
}

/** The median of what was measured. */
function paceOf(userId: string): number {
  const times = timesOf(userId).toSorted((a, b) => a - b)
  return times.length < FEW ? FIRST_S : (times[times.length >> 1] ?? FIRST_S)
}

function learnPace(userId: string, seconds: number): void {
  if (seconds > LONGEST_S) return
  const times = [...timesOf(userId), Math.round(seconds * 10) / 10].slice(-KEPT)
  localStorage.setItem(timesKey(userId), JSON.stringify(times))
}

/** "about 4 min"; from two hours on in hours, because nobody counts in minutes then. */
export function timeFor(items: number, secondsEach: number): string {
  const seconds = items * secondsEach
  if (seconds < 45) return 'less than a minute'
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60)} h`
}

const PLAYS_KEY = 'plays-each-word'

/** Whether each word to check is played by itself. */
export const playsEach = {
  isOn: () => localStorage.getItem(PLAYS_KEY) !== 'off',
  set: (isOn: boolean) => localStorage.setItem(PLAYS_KEY, isOn ? 'on' : 'off'),
}
