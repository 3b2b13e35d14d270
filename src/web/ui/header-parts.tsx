import { type ReactNode, createContext } from 'react'

/** What is being recorded while the app is used; the root of the app tells it. */
export interface RecordingNow {
  /** The recorder is on the screen. */
  isOpen: boolean
  /** In the place of "Record" while something is recorded out of sight. */
  pill: ReactNode
}

export const RecordingContext = createContext<RecordingNow>({ isOpen: false, pill: null })
