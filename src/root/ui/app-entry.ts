import { createContext } from 'react'

/** The app's first script, and what it imports at once. */
interface AppEntry {
  module: string
  imports: string[]
}

/** The app's entry, while a page is written to HTML; null for a page without the app. */
export const AppEntryContext = createContext<AppEntry | null>(null)
