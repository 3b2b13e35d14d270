/** The names of people that a file gives to its tracks of sound. */

/** Programs write these where nobody has said anything. */
const usual =
  /handler|media|produced by|\b(?:track|audio|sound|stereo|mono|channel|mix|main|mic|microphone|input|desktop|stream|aux)\s*\d*\b/i

/** As long as a name that somebody writes may be. */
const LONGEST = 80

/** The title in a line of ffmpeg's description of a track, where it has one that tells something. */
export function titleIn(line: string): string | null {
  const [, title = ''] = /^ {6}(?:title|handler_name) *: (.*)$/i.exec(line) ?? []
  const said = title.trim()
  const isName = /\p{L}/u.test(said) && said.length <= LONGEST && !usual.test(said)
  return isName ? said : null
}
