/** What is exported and how, as it was chosen last in this browser. */
import type { ExportFormat } from '../../contract.ts'

export interface ExportChoice {
  format: ExportFormat
  speakers: boolean
  timestamps: boolean
  summary: boolean
}

export interface FormatInfo {
  format: ExportFormat
  name: string
  what: string
  /** Which of the options mean something to it; captions and tables always have times. */
  options: readonly ('timestamps' | 'summary')[]
}

export const formats: readonly FormatInfo[] = [
  { format: 'srt', name: 'SRT', what: 'Captions for video editors and players', options: [] },
  { format: 'vtt', name: 'VTT', what: 'Captions for the web, with speaker names', options: [] },
  {
    format: 'docx',
    name: 'DOCX',
    what: 'A document for Word and its kind',
    options: ['timestamps', 'summary'],
  },
  {
    format: 'pdf',
    name: 'PDF',
    what: 'Pages to print or to send',
    options: ['timestamps', 'summary'],
  },
  {
    format: 'md',
    name: 'MD',
    what: 'Text with headings, for notes and wikis',
    options: ['timestamps', 'summary'],
  },
  { format: 'txt', name: 'TXT', what: 'Plain text', options: ['timestamps', 'summary'] },
  {
    format: 'json',
    name: 'JSON',
    what: 'Segments and words with their times',
    options: ['summary'],
  },
  { format: 'csv', name: 'CSV', what: 'A table with a row for each turn', options: [] },
]

const usual: ExportChoice = { format: 'srt', speakers: true, timestamps: true, summary: false }
const KEY = 'export-choice'

export function lastChoice(kept = localStorage.getItem(KEY)): ExportChoice {
  if (kept === null) return usual
  const [format, ...options] = kept.split(' ')
  const known = formats.find((one) => one.format === format)
  if (!known) return usual
  return {
    format: known.format,
    speakers: options.includes('speakers'),
    timestamps: options.includes('timestamps'),
    summary: options.includes('summary'),
  }
}

export function keepChoice(choice: ExportChoice): void {
  localStorage.setItem(KEY, choiceAsText(choice))
}

export function choiceAsText({ format, speakers, timestamps, summary }: ExportChoice): string {
  const options = { speakers, timestamps, summary }
  return [format, ...Object.entries(options).flatMap(([name, isOn]) => (isOn ? [name] : []))].join(
    ' ',
  )
}

export function exportPath(id: string, choice: ExportChoice): string {
  const { format, speakers, timestamps, summary } = choice
  const query = new URLSearchParams({
    format,
    speakers: String(speakers),
    timestamps: String(timestamps),
    summary: String(summary),
  })
  return `/api/transcriptions/${encodeURIComponent(id)}/export?${query}`
}

/** The name that the server gives a file; its own letters where there are more than ASCII. */
export function fileNameIn(disposition: string | null): string | null {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (coded) return decodeURIComponent(coded)
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null
}
