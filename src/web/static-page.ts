import { createContext } from 'react'

/** Whether the page that is being written to HTML will do without any of the app's JavaScript. */
export const StaticPage = createContext(false)
