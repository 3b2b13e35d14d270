/**
 * The speech models that can be installed: what is published about each. Nothing here was measured
 * by us. Word error rates are those of the Open ASR Leaderboard of August 2026 (means over its short
 * English sets, for the models before they were quantised), the first list of published sums that
 * two independent catalogues agree on gave the checksums; sizes are those of the downloads.
 *
 * All files are assets of the releases of k2-fsa/sherpa-onnx. An asset may be published anew under
 * the same name; its checksum then differs, and an operator must accept it knowingly.
 */
import { type FamilyName, type SpeakerFamily, whisperLanguages } from './models.ts'

export const PUBLISHER = 'https://github.com/k2-fsa/sherpa-onnx/releases/download'

export interface Licence {
  name: string
  /** Who made the model: named wherever it is used. */
  by: string
  url: string
  /** What has to be known besides. */
  note?: string
}

export interface CatalogueModel {
  id: string
  title: string
  family: FamilyName | SpeakerFamily
  /** ISO 639-1; null: over a thousand. Empty for models that hear no words. */
  languages: readonly string[] | null
  download: {
    /** Below the publisher's address: an archive (.tar.bz2), or the model itself. */
    path: string
    /** Null where nobody published it. */
    bytes: number | null
    sha256: string | null
  }
  /** What is kept of the archive, by what each file is for, and what else must lie beside it. */
  files: Readonly<Record<string, string>>
  beside?: readonly string[]
  /** Of an embedding, as in its `model.json`. */
  sameVoice?: number
  /** What is kept takes this on the disk, and in memory somewhat more. */
  keptBytes: number
  /** Percent; null where nothing comparable is published. */
  publishedWer: number | null
  licence: Licence
  about: string
}

const nvidia: Licence = {
  name: 'CC-BY-4.0',
  by: 'NVIDIA',
  url: 'https://creativecommons.org/licenses/by/4.0/',
  note: 'Converted to ONNX and quantised by the k2-fsa project.',
}
const openai: Licence = {
  name: 'MIT',
  by: 'OpenAI',
  url: 'https://github.com/openai/whisper/blob/main/LICENSE',
}
const usefulSensors: Licence = {
  name: 'MIT',
  by: 'Moonshine AI',
  url: 'https://github.com/moonshine-ai/moonshine/blob/main/LICENSE',
}
const apache = (by: string): Licence => ({
  name: 'Apache-2.0',
  by,
  url: 'https://www.apache.org/licenses/LICENSE-2.0',
})

const words = (text: string): string[] => text.split(' ')
const MB = 1_000_000
const transducerFiles = {
  encoder: 'encoder.int8.onnx',
  decoder: 'decoder.int8.onnx',
  joiner: 'joiner.int8.onnx',
  tokens: 'tokens.txt',
}
const modelFiles = { model: 'model.int8.onnx', tokens: 'tokens.txt' }

interface Sum {
  bytes: number | null
  sha256: string | null
}
const archive = (name: string, sum: Sum) => ({ path: `asr-models/${name}.tar.bz2`, ...sum })

function whisper(
  size: string,
  { bytes, sha256, kept, wer, about }: Sum & { kept: number; wer: number | null; about: string },
): CatalogueModel {
  const isEnglish = size.endsWith('.en') || size.startsWith('distil')
  const extra = size === 'large-v3' || size === 'turbo' ? ['yue'] : []
  return {
    id: `whisper-${size}`,
    title: `Whisper ${size}`,
    family: 'whisper',
    languages: isEnglish ? ['en'] : [...whisperLanguages, ...extra],
    download: archive(`sherpa-onnx-whisper-${size}`, { bytes, sha256 }),
    files: {
      encoder: `${size}-encoder.int8.onnx`,
      decoder: `${size}-decoder.int8.onnx`,
      tokens: `${size}-tokens.txt`,
    },
    keptBytes: kept * MB,
    publishedWer: wer,
    licence: openai,
    about,
  }
}

function parakeet(
  id: string,
  model: Sum & {
    title: string
    name: string
    languages: readonly string[]
    kept: number
    wer: number | null
    about: string
  },
): CatalogueModel {
  const { title, name, languages, kept, wer, about, bytes, sha256 } = model
  return {
    id,
    title,
    family: 'nemo_transducer',
    languages,
    download: archive(`sherpa-onnx-nemo-${name}`, { bytes, sha256 }),
    files: transducerFiles,
    keptBytes: kept * MB,
    publishedWer: wer,
    licence: nvidia,
    about,
  }
}

function moonshine(
  id: string,
  model: Sum & { title: string; name: string; kept: number; wer: number; about: string },
): CatalogueModel {
  const { title, name, kept, wer, about, bytes, sha256 } = model
  const isFirst = name.endsWith('int8')
  return {
    id,
    title,
    family: isFirst ? 'moonshine_v1' : 'moonshine_v2',
    languages: ['en'],
    download: archive(`sherpa-onnx-moonshine-${name}`, { bytes, sha256 }),
    files: isFirst
      ? {
          preprocessor: 'preprocess.onnx',
          encoder: 'encode.int8.onnx',
          uncachedDecoder: 'uncached_decode.int8.onnx',
          cachedDecoder: 'cached_decode.int8.onnx',
          tokens: 'tokens.txt',
        }
      : {
          encoder: 'encoder_model.ort',
          mergedDecoder: 'decoder_model_merged.ort',
          tokens: 'tokens.txt',
        },
    keptBytes: kept * MB,
    publishedWer: wer,
    licence: usefulSensors,
    about,
  }
}

export const catalogue: readonly CatalogueModel[] = [
  parakeet('parakeet-110m-en', {
    title: 'Parakeet 110M',
    name: 'parakeet_tdt_transducer_110m-en-36000-int8',
    languages: ['en'],
    bytes: 108_035_095,
    sha256: 'f628312e9fdf8686374cb01a69425c41732529d540860311f16f37cbc32cfe9b',
    kept: 136.5,
    wer: 7.49,
    about: 'English, fast and small: the first choice for two cores and 4 GB.',
  }),
  parakeet('parakeet-v2-en', {
    title: 'Parakeet TDT 0.6B v2',
    name: 'parakeet-tdt-0.6b-v2-int8',
    languages: ['en'],
    bytes: 482_468_385,
    sha256: '157c157bc51155e03e37d2466522a3a737dd9c72bb25f36eb18912964161e1ad',
    kept: 661.2,
    wer: 6.05,
    about: 'English at its best, for eight cores and 8 GB.',
  }),
  parakeet('parakeet-v3', {
    title: 'Parakeet TDT 0.6B v3',
    name: 'parakeet-tdt-0.6b-v3-int8',
    languages: words('bg hr cs da nl en et fi fr de el hu it lv lt mt pl pt ro sk sl es sv ru uk'),
    bytes: 487_170_055,
    sha256: '5793d0fd397c5778d2cf2126994d58e9d56b1be7c04d13c7a15bb1b4eafb16bf',
    kept: 670.5,
    wer: 6.32,
    about: '25 European languages, found by itself: the first choice where several are spoken.',
  }),
  parakeet('parakeet-unified-en', {
    title: 'Parakeet unified 0.6B',
    name: 'parakeet-unified-en-0.6b-int8-non-streaming',
    languages: ['en'],
    bytes: 501_350_460,
    sha256: '99f63605b3a85a54c250c0869670a687b7d6598a47bf2421515e1f839a76e150',
    kept: 663.5,
    wer: null,
    about: 'English, about as good as v2.',
  }),
  moonshine('moonshine-tiny-en', {
    title: 'Moonshine tiny',
    name: 'tiny-en-int8',
    bytes: 107_600_538,
    sha256: 'd5fe6ec4334fef36255b2a4010412cad4c007e33103fec62fb5d17cad88086f2',
    kept: 124,
    wer: 12.65,
    about: 'English, for the smallest machines. Times of words are estimated.',
  }),
  moonshine('moonshine-base-en', {
    title: 'Moonshine base',
    name: 'base-en-int8',
    bytes: 250_807_309,
    sha256: '21870cecaa2e44e4e2bf63e02d1072bed183ccd10284871353bd9d24dad14e5e',
    kept: 286.9,
    wer: 9.99,
    about: 'English. Times of words are estimated.',
  }),
  moonshine('moonshine-v2-tiny-en', {
    title: 'Moonshine v2 tiny',
    name: 'tiny-en-quantized-2026-02-27',
    bytes: 29_858_559,
    sha256: '9ec31b342d8fa3240c3b81b8f82e1cf7e3ac467c93ca5a999b741d5887164f8d',
    kept: 44.2,
    wer: 12.65,
    about: 'English, the smallest of all. It is given 7 s at a time; times are estimated.',
  }),
  moonshine('moonshine-v2-base-en', {
    title: 'Moonshine v2 base',
    name: 'base-en-quantized-2026-02-27',
    bytes: 111_266_225,
    sha256: '43232c1d13013d37317163baec3135bd771a186a4356f28c889bab453bb0e891',
    kept: 141.3,
    wer: 9.99,
    about: 'English. It is given 7 s at a time; times are estimated.',
  }),
  whisper('tiny', {
    bytes: 116_204_861,
    sha256: 'c46116994e539aa165266d96b325252728429c12535eb9d8b6a2b10f129e66b1',
    kept: 103.6,
    wer: null,
    about: '99 languages, rough in most of them. Times of words are estimated.',
  }),
  whisper('tiny.en', {
    bytes: 118_071_777,
    sha256: '2bd6cf965c8bb3e068ef9fa2191387ee63a9dfa2a4e37582a8109641c20005dd',
    kept: 103.6,
    wer: 12.81,
    about: 'English. Times of words are estimated.',
  }),
  whisper('base', {
    bytes: 207_557_382,
    sha256: '911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de',
    kept: 160.6,
    wer: null,
    about: '99 languages, rough in most of them. Times of words are estimated.',
  }),
  whisper('base.en', {
    bytes: 208_576_005,
    sha256: '475bc7052ce299c007f6d5d5407ba8601f819a2867f6eecee510ed17df581542',
    kept: 160.6,
    wer: 10.32,
    about: 'English. Times of words are estimated.',
  }),
  whisper('small', {
    bytes: 639_387_718,
    sha256: '486a46afbb7ba798507190ffe02fea2dd726049af212e774537efac6afb210a6',
    kept: 375.5,
    wer: null,
    about: '99 languages, usable in many. Times of words are estimated.',
  }),
  whisper('small.en', {
    bytes: 635_693_775,
    sha256: '0cdba2b8aaab69e04847f3427cc9709574112e67913a1a84b7fec3a8729faa9a',
    kept: 375.5,
    wer: 8.59,
    about: 'English; Parakeet 110M is better and many times faster.',
  }),
  whisper('medium', {
    bytes: 1_931_372_882,
    sha256: '614b1172557049069d846c29d9399640bce83a4dd6c580decebd9ce2a4f32c33',
    kept: 947,
    wer: null,
    about: '99 languages, slow. Times of words are estimated.',
  }),
  whisper('medium.en', {
    bytes: null,
    sha256: '73d95c169a410b5f23a79f8901374b26e0a16a09ea7f02b5e1db983f4cdfdd67',
    kept: 947,
    wer: 8.09,
    about: 'English, slow. Times of words are estimated.',
  }),
  whisper('turbo', {
    bytes: 563_790_207,
    sha256: 'b11acbbcd660b44a8e0df33724feb5aaa709cf65668f2823d59f656312544f22',
    kept: 1036.6,
    wer: 7.83,
    about: '100 languages, for eight cores and 8 GB. Times of words are estimated.',
  }),
  whisper('large-v3', {
    bytes: 1_068_482_488,
    sha256: '2d0e134b3b5fc4a0533baf24a0c9d473b629aa47f030af0a165a05f461df7a03',
    kept: 1776,
    wer: 7.44,
    about: '100 languages, very slow without a GPU. Times of words are estimated.',
  }),
  whisper('distil-large-v3.5', {
    bytes: null,
    sha256: 'ec874c7346d24ef8063e05430ede616d66d80a410360283099d0bdf659187b1d',
    kept: 985,
    wer: 7.21,
    about: 'English, slow. Times of words are estimated.',
  }),
  {
    id: 'sense-voice',
    title: 'SenseVoice small',
    family: 'sense_voice',
    languages: words('zh en ja ko yue'),
    download: archive('sherpa-onnx-sense-voice-zh-en-ja-ko-yue-int8-2024-07-17', {
      bytes: 163_002_883,
      sha256: '7d1efa2138a65b0b488df37f8b89e3d91a60676e416f515b952358d83dfd347e',
    }),
    files: modelFiles,
    keptBytes: 239.5 * MB,
    publishedWer: null,
    licence: {
      name: 'FunASR Model License 1.1',
      by: 'FunAudioLLM',
      url: 'https://github.com/modelscope/FunASR/blob/main/MODEL_LICENSE',
      note: "Not a free software licence: keep the model's name, name its makers, and read it before commercial use.",
    },
    about: 'Chinese, Cantonese, Japanese, Korean and English, found by itself.',
  },
  {
    id: 'canary-180m',
    title: 'Canary 180M flash',
    family: 'canary',
    languages: words('en es de fr'),
    download: archive('sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8', {
      bytes: 153_692_328,
      sha256: '7a38ed8b13f014ad632b09ff8d22e0c6f1359dd046af9235d281dfae841b9ab9',
    }),
    files: { encoder: 'encoder.int8.onnx', decoder: 'decoder.int8.onnx', tokens: 'tokens.txt' },
    keptBytes: 207.2 * MB,
    publishedWer: 7.12,
    licence: nvidia,
    about:
      'English, Spanish, German and French in little memory. It must be told the language, else it takes English.',
  },
  {
    id: 'cohere-14',
    title: 'Cohere transcribe',
    family: 'cohere',
    languages: words('ar de el en es fr it ja ko nl pl pt vi zh'),
    download: archive('sherpa-onnx-cohere-transcribe-14-lang-int8-2026-04-01', {
      bytes: 1_699_791_751,
      sha256: 'bd582588d50685a795dcd2807ab77e11361b8312d96c53884682def45ab4206d',
    }),
    files: { encoder: 'encoder.int8.onnx', decoder: 'decoder.int8.onnx', tokens: 'tokens.txt' },
    beside: ['encoder.int8.onnx.data'],
    keptBytes: 2840 * MB,
    publishedWer: 5.42,
    licence: apache('Cohere'),
    about:
      'The best text in 14 languages, for 8 GB and more. It must be told the language, else it takes English.',
  },
  {
    id: 'omnilingual-300m',
    title: 'Omnilingual 300M v2',
    family: 'omnilingual',
    languages: null,
    download: archive('sherpa-onnx-omnilingual-asr-1600-languages-300M-ctc-v2-int8-2026-02-05', {
      bytes: 292_313_120,
      sha256: '951b32409aade32bd525310bb39e9666773ba3fc611a39e817f620936d76c631',
    }),
    files: modelFiles,
    keptBytes: 366 * MB,
    publishedWer: null,
    licence: apache('Meta'),
    about: '1600 languages, without punctuation: for those that no other model has.',
  },
  {
    id: 'pyannote-segmentation-3',
    title: 'pyannote segmentation 3.0',
    family: 'segmentation',
    languages: [],
    download: {
      path: 'speaker-segmentation-models/sherpa-onnx-pyannote-segmentation-3-0.tar.bz2',
      bytes: 6_958_444,
      sha256: '24615ee884c897d9d2ba09bb4d30da6bb1b15e685065962db5b02e76e4996488',
    },
    files: { model: 'model.onnx' },
    keptBytes: 6 * MB,
    publishedWer: null,
    licence: {
      name: 'MIT',
      by: 'CNRS (Hervé Bredin)',
      url: 'https://huggingface.co/pyannote/segmentation-3.0',
    },
    about: 'Hears where a voice begins and ends; works with titanet-small.',
  },
  {
    id: 'titanet-small',
    title: 'TitaNet small',
    family: 'embedding',
    languages: [],
    download: {
      // The publisher spells it like this.
      path: 'speaker-recongition-models/nemo_en_titanet_small.onnx',
      bytes: 40_257_283,
      sha256: 'ad4a1802485d8b34c722d2a9d04249662f2ece5d28a7a039063ca22f515a789e',
    },
    files: { model: 'nemo_en_titanet_small.onnx' },
    // An app found 0.4 best, with little difference from 0.2 to 0.55 (3.3 % DER on seven clips).
    sameVoice: 0.4,
    keptBytes: 40.3 * MB,
    publishedWer: null,
    licence: nvidia,
    about: 'Hears whose voice it is; works with pyannote-segmentation-3.',
  },
  {
    id: 'wespeaker-resnet34',
    title: 'WeSpeaker ResNet34',
    family: 'embedding',
    languages: [],
    download: {
      path: 'speaker-recongition-models/wespeaker_en_voxceleb_resnet34.onnx',
      bytes: 26_534_365,
      sha256: '5ef208a9da1453335308a6b6f4e6dfbd7e183a38b604de0a57664f45d257fe94',
    },
    files: { model: 'wespeaker_en_voxceleb_resnet34.onnx' },
    // The same app: about 0.7; at 0.4 it took a third of the speech for somebody else's.
    sameVoice: 0.7,
    keptBytes: 26.5 * MB,
    publishedWer: null,
    licence: {
      name: 'CC-BY-4.0',
      by: 'WeSpeaker',
      url: 'https://creativecommons.org/licenses/by/4.0/',
      note: 'Trained on VoxCeleb; converted to ONNX by the k2-fsa project.',
    },
    about: 'Hears whose voice it is, in place of titanet-small; English voices.',
  },
  {
    id: 'campplus-zh-en',
    title: 'CAM++ Chinese and English',
    family: 'embedding',
    languages: [],
    download: {
      path: 'speaker-recongition-models/3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx',
      bytes: 28_281_164,
      sha256: 'aa3cfc16963a10586a9393f5035d6d6b57e98d358b347f80c2a30bf4f00ceba2',
    },
    files: { model: '3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx' },
    // What another app ships with.
    sameVoice: 0.55,
    keptBytes: 28.3 * MB,
    publishedWer: null,
    licence: apache('3D-Speaker'),
    about: 'Hears whose voice it is, in place of titanet-small; Chinese and English voices.',
  },
]

/** Names for several models that are of use together. */
export const bundles: Readonly<Record<string, readonly string[]>> = {
  speakers: ['pyannote-segmentation-3', 'titanet-small'],
}

const GB = 1_000_000_000

/** The model to begin with on a machine of this size. English is what the embedded engine knows. */
export function recommended({
  cores,
  memoryBytes,
}: {
  cores: number
  memoryBytes: number
}): string {
  return cores >= 8 && memoryBytes >= 7.5 * GB ? 'parakeet-v2-en' : 'parakeet-110m-en'
}
