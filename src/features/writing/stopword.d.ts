/** The package brings no types. Each export is the list of one language, by its ISO 639-3 code. */
declare module 'stopword' {
  export const ara: readonly string[]
  export const deu: readonly string[]
  export const eng: readonly string[]
  export const fra: readonly string[]
  export const ita: readonly string[]
  export const jpn: readonly string[]
  export const kor: readonly string[]
  export const nld: readonly string[]
  export const pol: readonly string[]
  export const porBr: readonly string[]
  export const rus: readonly string[]
  export const spa: readonly string[]
  export const swe: readonly string[]
  export const tur: readonly string[]
  export const ukr: readonly string[]
  export const zho: readonly string[]
}
