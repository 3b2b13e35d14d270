/** The package brings no types: the lists that spoken-language.ts takes besides those of writing. */
declare module 'stopword' {
  export const bul: readonly string[]
  export const ces: readonly string[]
  export const dan: readonly string[]
  export const ell: readonly string[]
  export const est: readonly string[]
  export const fin: readonly string[]
  export const hrv: readonly string[]
  export const hun: readonly string[]
  export const lav: readonly string[]
  export const lit: readonly string[]
  export const nob: readonly string[]
  export const por: readonly string[]
  export const ron: readonly string[]
  export const slk: readonly string[]
  export const slv: readonly string[]
  export const vie: readonly string[]
}
