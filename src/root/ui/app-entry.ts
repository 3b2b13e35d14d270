import { createContext } from 'react'

/** The app's first script, with the modules that it imports at once. */
interface AppEntry {
  module: string
  imports: string[]
  /** While developing: what puts a changed component in the place of the old one. It must be first. */
  refresh: string | undefined
}

/** The app's entry, while a page is written to HTML; null for a page without the app. */
export const AppEntryContext = createContext<AppEntry | null>(null)
