/**
 * Where the quote of a key point stands in a passage, as [start, end) of its text. Null when it
 * does not stand there letter for letter.
 */
export function evidenceIn(passage: string, quote: string | null): [number, number] | null {
  const start = quote ? passage.indexOf(quote) : -1
  return quote && start >= 0 ? [start, start + quote.length] : null
}
