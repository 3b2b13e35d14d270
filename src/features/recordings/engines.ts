/** The sentences by which users are told the truth about the engines of this server. */
import type { EngineCapabilities } from '#features/speech/contract.ts'
import { summaryLanguageCodes } from '#shared/business.ts'
import { Refusal } from '#shared/refusals.ts'

import type { Capabilities, Engines } from './contract.ts'

/**
 * Names of the engines in use, as /healthz shows them; `none` without one, `workers` where other
 * processes have them.
 */
export interface EngineNames {
  speech: string
  writing: string
  /** The model of the speech engine, where an operator chose it. */
  speechModel?: string
  /** Of how many words of clear English it gets about one wrong, where that is known of the model. */
  wordsPerError?: number | undefined
  /** The models that tell speakers apart, where some are installed. */
  speakers?: string
  /** Installed, and of no use on this machine: they take no jobs. Absent: none. */
  brokenModels?: readonly string[]
  /** The abilities of the speech engine; absent where it runs in other processes. */
  capabilities?: EngineCapabilities
  /** A better model, on its way to be used. Percent is null while it is unpacked and tried. */
  fetching?: { model: string; percent: number | null } | undefined
  /** Why no better model could be had. */
  notFetched?: string | undefined
}

const speechNotes: Record<
  string,
  (model: string, languages: readonly string[] | null, wordsPerError?: number) => string
> = {
  pocketsphinx: () =>
    "This server's embedded recognizer understands English only. Expect about one word in three to be wrong.",
  none: () =>
    'No recognizer is installed on this server. It takes no recordings until there is one.',
  sherpa: (model, languages, words) => {
    const expect = words ? ` Expect about one word in ${words} of clear English to be wrong.` : ''
    return `Recognized on this server by ${model}, ${languagesIn(languages)}.${expect}`
  },
  openai: (model) => `Recordings are sent to another server to be recognized, by ${model}.`,
}

const MOST_NAMED = 5
const namesOf = new Intl.DisplayNames('en', { type: 'language' })
const listOf = new Intl.ListFormat('en', { type: 'conjunction' })

function languagesIn(languages: readonly string[] | null): string {
  if (languages === null) return 'in any language it knows'
  const [only] = languages
  if (only !== undefined && languages.length === 1)
    return `which understands ${namesOf.of(only)} only`
  if (languages.length > MOST_NAMED) return `in ${languages.length} languages`
  return `in ${listOf.format(languages.map((code) => namesOf.of(code) ?? code))}`
}

/** What to say where a recording is in a language that is not among these. */
export function notUnderstood(language: string, languages: readonly string[]): string {
  const known = languages.length === 0 ? 'none that all its workers do' : languagesIn(languages)
  const only = known.replace(/^which understands /, '').replace(/^in /, '')
  return `This server does not understand ${namesOf.of(language) ?? language}, but ${only}. Nothing was charged. Ask for auto, or for one of its languages.`
}

const writingNotes: Record<string, string> = {
  extractive:
    'Summaries are sentences taken from the transcript. No language model is set up on this server.',
  llm: 'Summaries are written by a language model, in the language you choose.',
}

export function describe(names: EngineNames): Engines {
  const { speech, writing, speechModel, wordsPerError, capabilities, fetching } = names
  const languages = capabilities?.languages ?? null
  const note = speechNotes[speech]?.(speechModel ?? speech, languages, wordsPerError) ?? null
  return {
    speech: {
      name: speech,
      ...(speechModel === undefined ? {} : { model: speechModel }),
      languages: speech === 'none' ? [] : languages && [...languages],
      ...(capabilities?.hasWordTimes === false ? { estimatesTimes: true } : {}),
      ...(capabilities ? { takesTerms: capabilities.takesTerms === true } : {}),
      note,
      ...(fetching && { fetching }),
    },
    writing: { name: writing, note: writingNotes[writing] ?? null },
  }
}

/** The capabilities that settings decide, whatever the engines are. */
export interface SetUp {
  /** Google's client, for signing in and for Google Docs. */
  google: boolean
  /** Whether pages come over an encrypted line, or from this machine. */
  isSecure: boolean
}

/** The capabilities that all of these have: nobody knows which of several workers gets a recording. */
export function capabilitiesOf(
  all: readonly EngineNames[],
  { google, isSecure }: SetUp,
): Capabilities {
  const each = (can: (one: EngineNames) => boolean) => all.length > 0 && all.every(can)
  const heard = all.flatMap(({ speech, capabilities }) => {
    const languages = speech === 'none' ? [] : capabilities?.languages
    return languages ? [languages] : []
  })
  const isLlm = each(({ writing }) => writing === 'llm')
  return {
    languages: heard[0]?.filter((code) => heard.every((one) => one.includes(code))) ?? null,
    summaryLanguages: isLlm ? summaryLanguageCodes : ['auto'],
    documentsByModel: isLlm,
    translations: isLlm,
    googleDocs: google,
    googleSignIn: google,
    doubt: each(({ capabilities }) => capabilities?.hasConfidence === true),
    terms: each(({ capabilities }) => capabilities?.takesTerms === true),
    voices: each(({ speech }) => speech !== 'none'),
    recorder: isSecure,
  }
}

/**
 * Nobody shall wait, with credits held, for a job that this server cannot do.
 *
 * @throws Refusal `not_set_up`
 */
export function need({ speech }: EngineNames): void {
  if (speech === 'none') throw new Refusal('not_set_up')
}
