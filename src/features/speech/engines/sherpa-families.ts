/**
 * The kinds of models that sherpa-onnx loads: how each is configured, and what it can. Facts of the
 * engine at version 1.13.8; the lengths are those up to which a family is known to lose nothing.
 */
import type { FamilyName, ModelFiles } from '#features/models/models.ts'

export interface Family {
  /**
   * Its part of sherpa-onnx's `modelConfig`. `language` is empty where nobody said; `metadata` is what
   * the file `metadataIn` says of the model.
   */
  config(files: ModelFiles, language: string, metadata: ReadonlyMap<string, string>): object
  /** Which file says what the configuration depends on. Absent: none. */
  metadataIn?: string
  /** When words begin is known from the tokens; else only where a phrase or the chunk lies. */
  hasTokenTimes: boolean
  /** Each token comes with its probability. */
  hasTokenProbabilities: boolean
  hasPunctuation: boolean
  /** It says, or shows by what it writes, which language was spoken. */
  detectsLanguage: boolean
  /** It must be loaded anew to be told another language. */
  takesLanguage: boolean
  longestChunkMs: number
  /**
   * The most tokens that sherpa-onnx lets it write for a second of sound; null where it writes as many
   * as there are. Facts of version 1.13.8, in sherpa-onnx/csrc: offline-whisper-greedy-search-decoder.cc
   * (6, marks of time counted), offline-cohere-transcribe-greedy-search-decoder.cc (6),
   * offline-moonshine-greedy-search-decoder.cc (6, and 15 for v2), offline-recognizer-canary-impl.h (30).
   */
  tokensPerS: number | null
  /** The longest sound that it hears to its end, with zeros after the speech, in ms. */
  windowMs: number
  /**
   * How many tokens a second of speech takes at 150 words a minute; `''` is a language nobody said.
   * Absent: it is not known, and room is made only when a text was cut off.
   */
  spokenTokensPerS?: (language: string) => number
}

/**
 * Whisper's vocabulary knows English words as wholes, and other scripts by letters or bytes of them.
 * Counted with its tokenizer: Japanese 7, Greek 8.5, Thai 10.7, Hindi 16.7. Languages of the same kind
 * of script are taken to be like these; one that is not here is found out when a text is cut off.
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
  tokensPerS: null,
  windowMs: 0,
}
const transducer = ({ encoder, decoder, joiner }: ModelFiles) => ({ encoder, decoder, joiner })

export const families: Readonly<Record<FamilyName, Family>> = {
  whisper: {
    ...base,
    metadataIn: 'encoder',
    // The padding at the end is left as it is: less of it makes the model repeat itself.
    config: ({ encoder, decoder }, language, metadata) => ({
      whisper: {
        encoder,
        decoder,
        language,
        task: 'transcribe',
        // An English-only model is prompted with one token; asked for times, sherpa-onnx reads a second
        // one, past the end of its list.
        enableSegmentTimestamps: metadata.get('is_multilingual') === '1' ? 1 : 0,
      },
    }),
    detectsLanguage: true,
    takesLanguage: true,
    // It hears 29.5 s and drops the rest without a word; its padding needs room too.
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
        // Another language than the one that is spoken would be a translation.
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
    // Above this it repeats itself.
    windowMs: 30_000,
  },
  moonshine_v2: {
    ...base,
    config: ({ encoder, mergedDecoder }) => ({ moonshine: { encoder, mergedDecoder } }),
    // Above 9 s it answers nothing at all.
    longestChunkMs: 7000,
    tokensPerS: 15,
    windowMs: 9000,
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
