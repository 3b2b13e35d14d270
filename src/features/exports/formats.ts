/**
 * Every format a transcription is taken away in, in the order of the menu. The contract, the menu,
 * the description of the API and the type of a file come from this list; what writes a format is
 * `writers/FORMAT.ts`, and its name is the ending of the file.
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
  md: {
    name: 'MD',
    what: 'Text with headings, for notes and wikis',
    type: 'text/markdown; charset=utf-8',
  },
  txt: { name: 'TXT', what: 'Plain text', type: 'text/plain; charset=utf-8' },
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
} as const

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the list above
export const formatNames = Object.keys(exportFormats) as (keyof typeof exportFormats)[]
