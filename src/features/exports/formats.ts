import { exportFileName } from '#shared/file-names.ts'

/** The options of a file besides its format: see contract.ts. */
export const exportOptions = [
  'speakers',
  'timestamps',
  'doubt',
  'summary',
  'chapters',
  'language',
  'lineNumbers',
  'profile',
  'mend',
  'frameRate',
  'filmStart',
  'markers',
  'cuts',
] as const
export type ExportOption = (typeof exportOptions)[number]

const asDocument = [
  'speakers',
  'timestamps',
  'doubt',
  'summary',
  'chapters',
  'language',
  'cuts',
] as const
const asPages = [...asDocument, 'lineNumbers'] as const
/** In captions, frames are counted only where the film is said to begin at one. */
const asCaptions = [
  'speakers',
  'language',
  'profile',
  'mend',
  'frameRate',
  'filmStart',
  'cuts',
] as const
const asMarkers = ['speakers', 'language', 'frameRate', 'filmStart', 'markers', 'cuts'] as const

interface Format {
  name: string
  what: string
  type: string
  honours: readonly ExportOption[]
}

/**
 * Every format a transcription is taken away in, in the order of the menu. The contract, the menu,
 * the description of the API, the command line and the type of a file come from this list; what
 * writes a format is `writers/FORMAT.ts`, and its name is the ending of the file where `endings` has
 * no other. What a format does not honour of the options is not offered with it, and passed over
 * where it is asked for.
 */
export const exportFormats = {
  srt: {
    name: 'SRT',
    what: 'Captions for video editors and players',
    type: 'application/x-subrip; charset=utf-8',
    honours: asCaptions,
  },
  vtt: {
    name: 'WebVTT',
    what: 'Captions for the web, with speaker names',
    type: 'text/vtt; charset=utf-8',
    honours: asCaptions,
  },
  docx: {
    name: 'DOCX',
    what: 'A document for Word and its kind',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    honours: asPages,
  },
  pdf: {
    name: 'PDF',
    what: 'Pages to print or to send',
    type: 'application/pdf',
    honours: asPages,
  },
  html: {
    name: 'HTML',
    what: 'One page for a browser or a website',
    type: 'text/html; charset=utf-8',
    honours: asDocument,
  },
  md: {
    name: 'MD',
    what: 'Text with headings, for notes and wikis',
    type: 'text/markdown; charset=utf-8',
    honours: asDocument,
  },
  txt: { name: 'TXT', what: 'Plain text', type: 'text/plain; charset=utf-8', honours: asDocument },
  analysis: {
    name: 'QDA',
    what: 'Text for NVivo, MAXQDA and ATLAS.ti, which play each paragraph from its time',
    type: 'text/plain; charset=utf-8',
    honours: ['speakers', 'language', 'cuts'],
  },
  json: {
    name: 'JSON',
    what: 'Segments and words with their times',
    type: 'application/json; charset=utf-8',
    honours: ['speakers', 'summary', 'chapters', 'language', 'cuts'],
  },
  csv: {
    name: 'CSV',
    what: 'A table with a row for each turn',
    type: 'text/csv; charset=utf-8',
    honours: ['speakers', 'language', 'cuts'],
  },
  youtube: {
    name: 'YouTube',
    what: 'Times and titles for the description of a video',
    type: 'text/plain; charset=utf-8',
    honours: ['cuts'],
  },
  chapters: {
    name: 'WebVTT',
    what: 'Chapters for players on the web',
    type: 'text/vtt; charset=utf-8',
    honours: ['cuts'],
  },
  podcast: {
    name: 'Podcast',
    what: 'Chapters for podcast apps, as JSON',
    type: 'application/json+chapters; charset=utf-8',
    honours: ['cuts'],
  },
  podlove: {
    name: 'Podlove',
    what: 'Chapters for the feed of a podcast, as Podlove Simple Chapters',
    type: 'application/xml; charset=utf-8',
    honours: ['cuts'],
  },
  mp4chaps: {
    name: 'mp4chaps',
    what: 'Chapters for mp4chaps and Auphonic',
    type: 'text/plain; charset=utf-8',
    honours: ['cuts'],
  },
  edl: {
    name: 'EDL',
    what: 'Markers for DaVinci Resolve',
    type: 'text/plain; charset=utf-8',
    honours: asMarkers,
  },
  xml: {
    name: 'XML',
    what: 'Markers for Premiere Pro and Final Cut Pro 7',
    type: 'application/xml; charset=utf-8',
    honours: asMarkers,
  },
  cutlist: {
    name: 'EDL',
    what: 'What is left after cutting, as an edit list for programs that edit film and sound',
    type: 'text/plain; charset=utf-8',
    honours: ['frameRate', 'filmStart'],
  },
  otio: {
    name: 'OTIO',
    what: 'What is left after cutting, as an OpenTimelineIO timeline',
    type: 'application/json; charset=utf-8',
    honours: ['frameRate', 'filmStart'],
  },
} as const satisfies Record<string, Format>

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the list above
export const formatNames = Object.keys(exportFormats) as ExportFormatName[]

const endings: Partial<Record<ExportFormatName, string>> = {
  analysis: 'analysis.txt',
  youtube: 'chapters.txt',
  chapters: 'chapters.vtt',
  podcast: 'chapters.json',
  podlove: 'chapters.psc',
  mp4chaps: 'mp4.chapters.txt',
  cutlist: 'cut.edl',
}
export const endingOf = (format: ExportFormatName): string => endings[format] ?? format

/** `language`: of a translation. */
export const fileNameOf = (
  originalName: string,
  format: ExportFormatName,
  language?: string | null,
): string =>
  exportFileName(originalName, language ? `${language}.${endingOf(format)}` : endingOf(format))

export const honours = (format: ExportFormatName, option: ExportOption): boolean => {
  const all: readonly ExportOption[] = exportFormats[format].honours
  return all.includes(option)
}

export const formatsWith = (option: ExportOption): ExportFormatName[] =>
  formatNames.filter((format) => honours(format, option))

/** Of a recording that is gone, its name alone says whether it was a film. */
export const isNamedAsFilm = (name: string): boolean => /\.(mov|avi|mp4|mpeg)$/i.test(name)

/** The rows of the menu, each by what it is for, and its kinds. */
export const formatGroups = {
  Word: ['docx'],
  PDF: ['pdf'],
  Text: ['txt'],
  Captions: ['srt', 'vtt'],
  Markdown: ['md', 'html'],
  Data: ['json', 'csv'],
  Research: ['analysis'],
  Chapters: ['youtube', 'chapters', 'podcast', 'podlove', 'mp4chaps'],
  Film: ['edl', 'xml'],
  Cut: ['cutlist', 'otio'],
} as const satisfies Record<string, readonly ExportFormatName[]>

export const captionFormats = formatGroups.Captions
export const chapterFormats: readonly ExportFormatName[] = formatGroups.Chapters
/** Lists of what is left, for the owner to go on with in another program; links do not have them. */
export const cutFormats: readonly ExportFormatName[] = formatGroups.Cut
/** They count frames from where the file says that its film begins. */
export const editorFormats: readonly ExportFormatName[] = [...formatGroups.Film, ...cutFormats]

export type ExportFormatName = keyof typeof exportFormats

/** Whether cuts of the recording are left out. */
export const cutChoices = ['applied', 'ignored'] as const
export type CutChoice = (typeof cutChoices)[number]

/** Whose reading rules captions keep: see captions/caption-profiles.ts. */
export const captionProfiles = ['netflix', 'bbc', 'plain'] as const
export type CaptionProfile = (typeof captionProfiles)[number]

/** The rules that a caption can break: too long a line, too little time to read it, a gap that flickers … */
export const captionRules = [
  'line_too_long',
  'too_many_lines',
  'too_short',
  'too_long',
  /** For how fast it can be read. */
  'too_fast',
  'overlap',
  'gap_too_short',
  /** Away from what is said. */
  'astray',
] as const
export type CaptionRule = (typeof captionRules)[number]

export const markerKinds = ['turns', 'key_points'] as const
export type MarkerKind = (typeof markerKinds)[number]
