/**
 * The kinds of models that sherpa-onnx loads: how each is configured, and what it can. Facts of the
 * engine at version 1.13.8; the lengths are those up to which a family is known to lose nothing.
 */
import { z } from 'zod'

export const familyNames = [
  'whisper',
  'nemo_transducer',
  'nemo_ctc',
  'canary',
  'moonshine_v1',
  'moonshine_v2',
  'sense_voice',
  'omnilingual',
  'cohere',
  'transducer',
  'zipformer_ctc',
] as const
export const FamilyName = z.enum(familyNames)
export type FamilyName = z.infer<typeof FamilyName>

/** Absolute paths by what each file is for. */
export type ModelFiles = Readonly<Record<string, string>>

export interface Family {
  /** What each of its files is for; `tokens` comes with every family. */
  files: readonly string[]
  /** Its part of sherpa-onnx's `modelConfig`. `language` is empty where nobody said. */
  config(files: ModelFiles, language: string): object
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
}

const base = {
  hasTokenTimes: false,
  hasTokenProbabilities: false,
  hasPunctuation: true,
  detectsLanguage: false,
  takesLanguage: false,
  longestChunkMs: 28_000,
}
const transducerFiles = ['encoder', 'decoder', 'joiner']
const transducer = ({ encoder, decoder, joiner }: ModelFiles) => ({ encoder, decoder, joiner })

export const families: Readonly<Record<FamilyName, Family>> = {
  whisper: {
    ...base,
    files: ['encoder', 'decoder'],
    // The padding at the end is left as it is: less of it makes the model repeat itself.
    config: ({ encoder, decoder }, language) => ({
      whisper: { encoder, decoder, language, task: 'transcribe', enableSegmentTimestamps: 1 },
    }),
    detectsLanguage: true,
    takesLanguage: true,
    // It hears 29.5 s and drops the rest without a word; its padding needs room too.
    longestChunkMs: 25_000,
  },
  nemo_transducer: {
    ...base,
    files: transducerFiles,
    config: (files) => ({ transducer: transducer(files), modelType: 'nemo_transducer' }),
    hasTokenTimes: true,
    hasTokenProbabilities: true,
    detectsLanguage: true,
  },
  nemo_ctc: {
    ...base,
    files: ['model'],
    config: ({ model }) => ({ nemoCtc: { model } }),
    hasTokenTimes: true,
  },
  canary: {
    ...base,
    files: ['encoder', 'decoder'],
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
  },
  moonshine_v1: {
    ...base,
    files: ['preprocessor', 'encoder', 'uncachedDecoder', 'cachedDecoder'],
    config: ({ preprocessor, encoder, uncachedDecoder, cachedDecoder }) => ({
      moonshine: { preprocessor, encoder, uncachedDecoder, cachedDecoder },
    }),
    longestChunkMs: 25_000,
  },
  moonshine_v2: {
    ...base,
    files: ['encoder', 'mergedDecoder'],
    config: ({ encoder, mergedDecoder }) => ({ moonshine: { encoder, mergedDecoder } }),
    // Above 9 s it answers nothing at all.
    longestChunkMs: 7000,
  },
  sense_voice: {
    ...base,
    files: ['model'],
    config: ({ model }, language) => ({
      senseVoice: { model, language: language || 'auto', useInverseTextNormalization: 1 },
    }),
    hasTokenTimes: true,
    detectsLanguage: true,
    takesLanguage: true,
  },
  omnilingual: {
    ...base,
    files: ['model'],
    config: ({ model }) => ({ omnilingual: { model } }),
    hasTokenTimes: true,
    hasPunctuation: false,
    detectsLanguage: true,
  },
  cohere: {
    ...base,
    files: ['encoder', 'decoder'],
    config: ({ encoder, decoder }, language) => ({
      cohereTranscribe: { encoder, decoder, language: language || 'en', usePunct: 1, useItn: 1 },
    }),
    takesLanguage: true,
  },
  transducer: {
    ...base,
    files: transducerFiles,
    config: (files) => ({ transducer: transducer(files) }),
    hasTokenTimes: true,
    hasTokenProbabilities: true,
    hasPunctuation: false,
  },
  zipformer_ctc: {
    ...base,
    files: ['model'],
    config: ({ model }) => ({ zipformerCtc: { model } }),
    hasTokenTimes: true,
    hasPunctuation: false,
  },
}
