/** Offers, by what a server must be able to do for them: as they are worded on pages and in forms. */
import { summaryLanguageCodes } from '../src/shared/business.ts'
import type { Capabilities, Capability } from '../src/shared/capabilities.ts'

export const offers: Record<Exclude<Capability, 'voices'>, readonly RegExp[]> = {
  summaryLanguages: [
    /one of\s+12\s+languages/,
    /12 languages/,
    /Spanish, French/,
    /Summary Language/,
  ],
  documentsByModel: [
    /Generated documents, 1 credit each/,
    /Present: Ada, Ben/,
    /a trainee’s draft/,
    /describe a type of your own/,
    /New type of document/,
    /\d–\d+ words/,
  ],
  translations: [/[Tt]ranslated into/, /Translations \(\+1/, /for a language of a translation/],
  googleDocs: [/Google Docs?\b/],
  googleSignIn: [/(Continue|Sign in|sign in|sign-in) with Google/],
  doubt: [
    /underlined/i,
    /dotted line/,
    /engine (itself )?(doubts|was unsure)/,
    /words to check(?! first)/,
  ],
  terms: [/Add a name or term/],
  recorder: [/record in the browser/],
}

/** The offers in a text, each with what it needs. */
export function promisesIn(text: string): string[] {
  return Object.entries(offers).flatMap(([capability, words]) =>
    words.flatMap((each) => {
      const [said] = each.exec(text) ?? []
      return said === undefined ? [] : [`${capability}: ${said}`]
    }),
  )
}

/** A server that can do all there is, and one that can do none of it. */
export const everything: Capabilities = {
  languages: null,
  summaryLanguages: [...summaryLanguageCodes],
  documentsByModel: true,
  translations: true,
  googleDocs: true,
  googleSignIn: true,
  doubt: true,
  terms: true,
  voices: true,
  recorder: true,
}
export const nothing: Capabilities = {
  languages: ['en'],
  summaryLanguages: ['auto'],
  documentsByModel: false,
  translations: false,
  googleDocs: false,
  googleSignIn: false,
  doubt: false,
  terms: false,
  voices: true,
  recorder: false,
}
