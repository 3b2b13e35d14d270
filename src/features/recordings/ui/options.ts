/** The options of a recording as a form has them, and in words. Pure. */
import type { Channels, LastOptions } from '../contract.ts'
import { counted } from '#shared/format.ts'

export const noOptions: LastOptions = {
  language: 'auto',
  speakers: 'auto',
  channels: 'auto',
  terms: [],
}

/** A language that was chosen before, where the engine of now still understands it. */
export const stillHeard = (language: string, known: readonly string[] | null | undefined): string =>
  !known || known.includes(language) ? language : 'auto'

export type SpeakersKind = 'auto' | 'exactly' | 'most'

/** How far the stepper goes; the server takes more. */
export const MOST_VOICES = 10
const USUAL_VOICES = 2

export function speakersOf(text: string): { kind: SpeakersKind; count: number } {
  const [, most, digits] = /^(max:)?(\d+)$/.exec(text) ?? []
  if (digits === undefined) return { kind: 'auto', count: USUAL_VOICES }
  return { kind: most === undefined ? 'exactly' : 'most', count: Number(digits) }
}

export function speakersText({ kind, count }: { kind: SpeakersKind; count: number }): string {
  if (kind === 'auto') return 'auto'
  return kind === 'exactly' ? String(count) : `max:${count}`
}

const names = new Intl.DisplayNames('en', { type: 'language' })

export const languageName = (code: string): string => names.of(code) ?? code

/** "Deutsch", as its speakers write it; what browsers have no name for is its code. */
export function ownName(code: string): string {
  const name = new Intl.DisplayNames(code, { type: 'language', fallback: 'none' }).of(code)
  return name ? name.charAt(0).toLocaleUpperCase(code) + name.slice(1) : languageName(code)
}

const channelsInWords = (channels: Channels, one: 'channel' | 'track'): string =>
  ({ auto: '', people: `each ${one} is a person`, mixed: `${one}s are mixed` })[channels]

/** "English, at most 4 speakers, 5 terms"; empty where nothing is set. */
export function optionsInWords(
  { language, speakers, channels, terms }: LastOptions,
  { areTracks = false } = {},
): string {
  const { kind, count } = speakersOf(speakers)
  const people = counted(count, 'speaker')
  return [
    language === 'auto' ? '' : languageName(language),
    kind === 'auto' ? '' : kind === 'exactly' ? people : `at most ${people}`,
    channelsInWords(channels, areTracks ? 'track' : 'channel'),
    terms.length === 0 ? '' : counted(terms.length, 'term'),
  ]
    .filter((each) => each !== '')
    .join(', ')
}

/** The languages that most speech servers know, for servers that do not say which they know. */
export const usualLanguages: readonly string[] =
  'ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv mk ms nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh'.split(
    ' ',
  )
