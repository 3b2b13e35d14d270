/** The text of a small script, bundled by the plugin in vite.config.ts. */
declare module '*?script' {
  const code: string
  export default code
}
