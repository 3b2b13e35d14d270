import { Landing } from './landing.tsx'

/** The landing is served as HTML alone; with a session cookie the server sends the app shell instead. */
export const handle = { static: true }

export default Landing
