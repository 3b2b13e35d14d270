/**
 * The kinds of models that sherpa-onnx loads: how each is configured, and what it can do. These are
 * facts of version 1.13.8. Up to the lengths given here a family loses no words.
 */
import type { FamilyName, ModelFiles } from '#features/models/models.ts'

export interface Family {
  /**
   * Its part of sherpa-onnx's `modelConfig`. `language` is empty where nobody said; `isMultilingual`
   * is what a Whisper says of itself.
   */
  config(files: ModelFiles, language: string, isMultilingual: boolean): object
  /** Tokens come with times, so it is known when words begin; else only where a phrase lies. */
  hasTokenTimes: boolean
  /** Each token comes with its probability. */
  hasTokenProbabilities: boolean
  hasPunctuation: boolean
  /** It says which language was spoken, or its text shows it. */
  detectsLanguage: boolean
  /** It is told the language when it is loaded; for another language it is loaded again. */
  takesLanguage: boolean
  /** Its doubt tells speech in another language from its own: measured, see other-language.ts. */
  doubtsOtherLanguages?: true
  longestChunkMs: number
  /** With more threads a chunk is done no sooner. */
  mostThreads: number
  /**
   * The most tokens that sherpa-onnx lets it write for a second of sound; null where there is no
   * limit. Facts of version 1.13.8, in sherpa-onnx/csrc: offline-whisper-greedy-search-decoder.cc
   * (6, marks of time counted), offline-cohere-transcribe-greedy-search-decoder.cc (6),
   * offline-moonshine-greedy-search-decoder.cc (6), offline-recognizer-canary-impl.h (30).
   */
  tokensPerS: number | null
  /** The longest sound that it hears to its end, silence after the speech included, in ms. */
  windowMs: number
  /**
   * How many tokens a second of speech takes at 150 words a minute; `''` is an unknown language.
   * Absent: it is not known, and silence is added only after a text was cut off.
   */
  spokenTokensPerS?: (language: string) => number
}

/**
 * Whisper writes a whole English word as one token, and words of other scripts as letters or bytes.
 * Counted with its tokenizer: Japanese 7, Greek 8.5, Thai 10.7, Hindi 16.7. Languages with a
 * similar script get the same numbers. One that is missing here is only noticed when a text is cut
 * off.
 */
const whisperDensities: readonly (readonly [tokensPerS: number, languages: string])[] = [
  [17, 'hi mr ne sa bn as gu pa ta te kn ml si my km lo bo am'],
  [11, 'th ka hy'],
  [9, 'el he yi ja'],
]
const WHISPER_USUAL = 4.5
const denseInWhisper = new Map(
  whisperDensities.flatMap(([perS, codes]) =>
    codes.split(' ').map((code) => [code, perS] as const),
  ),
)

const base = {
  hasTokenTimes: false,
  hasTokenProbabilities: false,
  hasPunctuation: true,
  detectsLanguage: false,
  takesLanguage: false,
  longestChunkMs: 28_000,
  mostThreads: 4,
  tokensPerS: null,
  windowMs: 0,
}
const transducer = ({ encoder, decoder, joiner }: ModelFiles) => ({ encoder, decoder, joiner })

export const families: Readonly<Record<FamilyName, Family>> = {
  whisper: {
    ...base,
    // The default padding at the end is kept: with less of it the model repeats itself.
    config: ({ encoder, decoder }, language, isMultilingual) => ({
      whisper: {
        encoder,
        decoder,
        language,
        task: 'transcribe',
        // An English-only model is prompted with one token. Asked for times, sherpa-onnx would read
        // a second one, past the end of the list.
        enableSegmentTimestamps: isMultilingual ? 1 : 0,
      },
    }),
    detectsLanguage: true,
    takesLanguage: true,
    // It hears 29.5 s, its padding included, and drops the rest without saying so.
    longestChunkMs: 25_000,
    tokensPerS: 6,
    windowMs: 29_400,
    spokenTokensPerS: (language) => denseInWhisper.get(language) ?? WHISPER_USUAL,
  },
  nemo_transducer: {
    ...base,
    config: (files) => ({ transducer: transducer(files), modelType: 'nemo_transducer' }),
    hasTokenTimes: true,
    hasTokenProbabilities: true,
    detectsLanguage: true,
  },
  nemo_ctc: {
    ...base,
    config: ({ model }) => ({ nemoCtc: { model } }),
    hasTokenTimes: true,
  },
  canary: {
    ...base,
    config: ({ encoder, decoder }, language) => ({
      canary: {
        encoder,
        decoder,
        srcLang: language || 'en',
        // With another language than the one that is spoken, it would translate.
        tgtLang: language || 'en',
        usePnc: 1,
      },
    }),
    takesLanguage: true,
    longestChunkMs: 20_000,
    tokensPerS: 30,
  },
  moonshine_v1: {
    ...base,
    config: ({ preprocessor, encoder, uncachedDecoder, cachedDecoder }) => ({
      moonshine: { preprocessor, encoder, uncachedDecoder, cachedDecoder },
    }),
    longestChunkMs: 25_000,
    tokensPerS: 6,
    // In longer sound it repeats itself.
    windowMs: 30_000,
  },
  moonshine_v2: {
    ...base,
    // Run by moonshine.ts, which has a limit of its own.
    config: ({ encoder, mergedDecoder }) => ({ moonshine: { encoder, mergedDecoder } }),
    hasTokenProbabilities: true,
    doubtsOtherLanguages: true,
    longestChunkMs: 25_000,
    // Its steps are so small that two threads wait for each other as long as they save.
    mostThreads: 1,
  },
  sense_voice: {
    ...base,
    config: ({ model }, language) => ({
      senseVoice: { model, language: language || 'auto', useInverseTextNormalization: 1 },
    }),
    hasTokenTimes: true,
    detectsLanguage: true,
    takesLanguage: true,
  },
  omnilingual: {
    ...base,
    config: ({ model }) => ({ omnilingual: { model } }),
    hasTokenTimes: true,
    hasPunctuation: false,
    detectsLanguage: true,
  },
  cohere: {
    ...base,
    config: ({ encoder, decoder }, language) => ({
      cohereTranscribe: { encoder, decoder, language: language || 'en', usePunct: 1, useItn: 1 },
    }),
    takesLanguage: true,
    tokensPerS: 6,
    windowMs: 30_000,
  },
  transducer: {
    ...base,
    config: (files) => ({ transducer: transducer(files) }),
    hasTokenTimes: true,
    hasTokenProbabilities: true,
    hasPunctuation: false,
  },
  zipformer_ctc: {
    ...base,
    config: ({ model }) => ({ zipformerCtc: { model } }),
    hasTokenTimes: true,
    hasPunctuation: false,
  },
}
