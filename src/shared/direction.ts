/** Which side a text is read from. Pure. */

const fromRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const languages = new Set('ar arc ckb dv fa he iw ks ku nqo ps sd syr ug ur yi'.split(' '))

/** Whether a language is written from the right. Kurdish and the like are where their letters are. */
const isRead = (language: string): boolean =>
  languages.has(language.toLowerCase().split(/[-_]/)[0] ?? '')

/**
 * A line of Hebrew may begin with a Latin name: where the language is read from the right, one letter
 * of it is enough. Elsewhere the first letter decides.
 */
export function isFromRight(text: string, language = 'und'): boolean {
  if (isRead(language)) return fromRight.test(text) || !/\p{L}/u.test(text)
  return fromRight.test(/\p{L}/u.exec(text)?.[0] ?? '')
}

/** The same as HTML says it. */
export const dirOf = (text: string, language?: string | null): 'rtl' | 'ltr' =>
  isFromRight(text, language ?? 'und') ? 'rtl' : 'ltr'
