/**
 * Clips: short stretches of a recording as files of their own. Their shapes, and how captions and waves are
 * laid out in them; a page shows a clip as it will be before it is made.
 */

/** `sound` is no picture. */
export const clipShapes = ['upright', 'square', 'wide', 'sound'] as const
export type ClipShape = (typeof clipShapes)[number]
/** `words` marks the word that is said; `lines` marks none. */
export const clipCaptions = ['words', 'lines', 'none'] as const
export type ClipCaptions = (typeof clipCaptions)[number]

export const LONGEST_CLIP_MS = 180_000

export interface Clip {
  /** In milliseconds of the recording. */
  startMs: number
  endMs: number
  shape: ClipShape
  captions: ClipCaptions
  hasNames: boolean
  /** The place of a film that is in the middle, as shares of its width and its height. */
  centre: { x: number; y: number }
}

interface ClipLayout {
  width: number
  height: number
  /** How large captions are. */
  px: number
  /** The most letters in a line of a caption; a Chinese character takes two. */
  letters: number
  /** Bars of the wave where there is no film. */
  bars: number
  /** Where things stand where there is no film, as shares of the height: upper edges, and the middle of the wave. */
  top: number
  wave: number
  waveHeight: number
  captions: number
  /** The lower edge of captions upon a film: what apps lay over it stands below. */
  foot: number
}

export const clipLayouts: Readonly<Record<Exclude<ClipShape, 'sound'>, ClipLayout>> = {
  upright: {
    width: 1080,
    height: 1920,
    px: 80,
    letters: 22,
    bars: 40,
    top: 0.1,
    wave: 0.4,
    waveHeight: 0.15,
    captions: 0.55,
    foot: 0.78,
  },
  square: {
    width: 1080,
    height: 1080,
    px: 64,
    letters: 26,
    bars: 44,
    top: 0.09,
    wave: 0.42,
    waveHeight: 0.2,
    captions: 0.64,
    foot: 0.9,
  },
  wide: {
    width: 1920,
    height: 1080,
    px: 68,
    letters: 40,
    bars: 72,
    top: 0.09,
    wave: 0.42,
    waveHeight: 0.22,
    captions: 0.65,
    foot: 0.91,
  },
}

/** In sizes of captions. */
export const clipSizes = { name: 0.76, title: 0.52 } as const

/** The dark ground of the product, and what stands upon it. */
export const clipColours = {
  ground: '#0e1612',
  ink: '#eaf0eb',
  quiet: '#afbbb2',
  marker: '#f4ed70',
  markerInk: '#12221b',
} as const
