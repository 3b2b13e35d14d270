/**
 * Every format a transcription is taken away in, in the order of the menu. The contract, the menu,
 * the description of the API and the type of a file come from this list; what writes a format is
 * `writers/FORMAT.ts`, and its name is the ending of the file where `endings` has no other.
 */
export const exportFormats = {
  srt: {
    name: 'SRT',
    what: 'Captions for video editors and players',
    type: 'application/x-subrip; charset=utf-8',
  },
  vtt: {
    name: 'VTT',
    what: 'Captions for the web, with speaker names',
    type: 'text/vtt; charset=utf-8',
  },
  docx: {
    name: 'DOCX',
    what: 'A document for Word and its kind',
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  },
  pdf: { name: 'PDF', what: 'Pages to print or to send', type: 'application/pdf' },
  html: {
    name: 'HTML',
    what: 'One page for a browser or a website',
    type: 'text/html; charset=utf-8',
  },
  md: {
    name: 'MD',
    what: 'Text with headings, for notes and wikis',
    type: 'text/markdown; charset=utf-8',
  },
  txt: { name: 'TXT', what: 'Plain text', type: 'text/plain; charset=utf-8' },
  analysis: {
    name: 'QDA',
    what: 'Text for NVivo, MAXQDA and ATLAS.ti, which play each paragraph from its time',
    type: 'text/plain; charset=utf-8',
  },
  json: {
    name: 'JSON',
    what: 'Segments and words with their times',
    type: 'application/json; charset=utf-8',
  },
  csv: {
    name: 'CSV',
    what: 'A table with a row for each turn',
    type: 'text/csv; charset=utf-8',
  },
  youtube: {
    name: 'YouTube',
    what: 'Times and titles for the description of a video',
    type: 'text/plain; charset=utf-8',
  },
  chapters: {
    name: 'WebVTT',
    what: 'Chapters for players on the web',
    type: 'text/vtt; charset=utf-8',
  },
  podcast: {
    name: 'Podcast',
    what: 'Chapters for podcast apps, as JSON',
    type: 'application/json+chapters; charset=utf-8',
  },
  edl: {
    name: 'EDL',
    what: 'Markers for DaVinci Resolve',
    type: 'text/plain; charset=utf-8',
  },
  xml: {
    name: 'XML',
    what: 'Markers for Premiere Pro and Final Cut Pro 7',
    type: 'application/xml; charset=utf-8',
  },
} as const

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the list above
export const formatNames = Object.keys(exportFormats) as ExportFormatName[]

const endings: Partial<Record<ExportFormatName, string>> = {
  analysis: 'analysis.txt',
  youtube: 'chapters.txt',
  chapters: 'chapters.vtt',
  podcast: 'chapters.json',
}
export const endingOf = (format: ExportFormatName): string => endings[format] ?? format

/** In the menu they stand together. */
export const formatGroups = {
  Captions: ['srt', 'vtt'],
  Documents: ['docx', 'pdf', 'html', 'md', 'txt', 'analysis'],
  Data: ['json', 'csv'],
  Chapters: ['youtube', 'chapters', 'podcast'],
  'Markers for film': ['edl', 'xml'],
} as const satisfies Record<string, readonly ExportFormatName[]>

export const captionFormats = formatGroups.Captions
export const chapterFormats: readonly ExportFormatName[] = formatGroups.Chapters

export type ExportFormatName = keyof typeof exportFormats

/** Whose reading rules captions keep: see captions/caption-profiles.ts. */
export const captionProfiles = ['netflix', 'bbc', 'plain'] as const
export type CaptionProfile = (typeof captionProfiles)[number]

/** What a caption can be told: too long a line, too little time to read it, a gap that flickers … */
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

export const frameRates = [
  '23.976',
  '24',
  '25',
  '29.97',
  '29.97df',
  '30',
  '50',
  '59.94',
  '59.94df',
  '60',
] as const
export type FrameRate = (typeof frameRates)[number]

export const markerKinds = ['turns', 'key_points'] as const
export type MarkerKind = (typeof markerKinds)[number]
