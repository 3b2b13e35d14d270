/** What is exported and how, as it was chosen last in this browser. */
import type { ExportFormat } from '../contract.ts'
import { formatNames } from '../formats.ts'

export interface ExportChoice {
  format: ExportFormat
  speakers: boolean
  timestamps: boolean
  /** The line on how many words are in doubt. */
  doubt: boolean
  summary: boolean
}

/** The server leaves out what a format has no place for. */
const usual: ExportChoice = {
  format: 'srt',
  speakers: true,
  timestamps: true,
  doubt: true,
  summary: false,
}
const KEY = 'exported-as'

export function lastChoice(kept = localStorage.getItem(KEY)): ExportChoice {
  if (kept === null) return usual
  const [named, ...options] = kept.split(' ')
  const format = formatNames.find((one) => one === named)
  if (!format) return usual
  return {
    format,
    speakers: options.includes('speakers'),
    timestamps: options.includes('timestamps'),
    doubt: options.includes('doubt'),
    summary: options.includes('summary'),
  }
}

export function keepChoice(choice: ExportChoice): void {
  localStorage.setItem(KEY, choiceAsText(choice))
}

export function choiceAsText({ format, ...options }: ExportChoice): string {
  return [format, ...Object.entries(options).flatMap(([name, isOn]) => (isOn ? [name] : []))].join(
    ' ',
  )
}

export function exportPath(id: string, choice: ExportChoice): string {
  const query = new URLSearchParams(
    Object.entries(choice).map(([name, value]) => [name, String(value)]),
  )
  return `/api/transcriptions/${encodeURIComponent(id)}/export?${query}`
}

/** The name that the server gives a file; its own letters where there are more than ASCII. */
export function fileNameIn(disposition: string | null): string | null {
  const coded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (coded) return decodeURIComponent(coded)
  return /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null
}
