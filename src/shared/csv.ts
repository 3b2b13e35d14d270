/**
 * Text for a table, with an apostrophe in front where a spreadsheet would run it as a formula. The
 * first sign decides, as the program sees it: some take the wide forms of Chinese and Japanese
 * writing (`＝`) for the plain ones, and pass over spaces and invisible characters before it.
 */
export function withoutFormula(text: string): string {
  const isFormula = /^(?:[\t\r\n]|[\p{Z}\p{C}]*[=+\-@])/u.test(text.normalize('NFKC'))
  return isFormula ? `'${text}` : text
}
