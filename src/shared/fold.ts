/** Letters without case and accents, for whoever searches. */
export interface Folded {
  text: string
  /** Where each folded letter stands in the real text; null where both are letter for letter alike. */
  origin: readonly number[] | null
}

const plain = /^[\u0020-\u007e]*$/

const marks = /\p{Mn}/gu

/** "Café" is found by "cafe": small letters without accents, with the way back to the real ones. */
export function fold(text: string): Folded {
  if (plain.test(text)) return { text: text.toLowerCase(), origin: null }
  let folded = ''
  const origin: number[] = []
  let at = 0
  for (const letter of text) {
    const base = letter.normalize('NFKD').replace(marks, '').toLowerCase()
    for (let index = 0; index < base.length; index += 1) origin.push(at)
    folded += base
    at += letter.length
  }
  origin.push(at)
  return { text: folded, origin }
}
