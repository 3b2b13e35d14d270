import { createContext } from 'react'

/** The app's first script, and what it imports at once. */
export interface AppEntry {
  module: string
  imports: string[]
}

/** What the page that is being written to HTML starts; null for one without any of the app. */
export const AppEntryContext = createContext<AppEntry | null>(null)
