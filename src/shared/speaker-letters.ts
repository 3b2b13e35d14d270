/** A, B, … Z, AA: the letters of a speaker by number, from 0. */
export function speakerLetters(speaker: number): string {
  let letters = ''
  for (let rest = speaker; rest >= 0; rest = Math.floor(rest / 26) - 1)
    letters = String.fromCharCode(65 + (rest % 26)) + letters
  return letters
}
