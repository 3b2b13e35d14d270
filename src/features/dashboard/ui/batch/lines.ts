/** The rows of a bill: the chosen files, which of them can be transcribed, and their price. Pure. */
import { creditsFor } from '#features/credits/contract.ts'
import type { Same } from '#features/recordings/contract.ts'
import { problemWith } from '#features/recordings/ui/file-rules.ts'
import type { Sent } from '#features/recordings/ui/sent.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import { DOCUMENT_CREDITS, MAX_UPLOAD_BYTES } from '#shared/business.ts'
import { formatBytes } from '#shared/format.ts'

interface Arrived {
  id: string
  credits: number
  levels: Transcription['levels']
  recordedAt: string | null
}

export interface Line {
  key: string
  name: string
  /** Null for what arrived before this page was opened, as is the file. */
  sizeBytes: number | null
  file: File | null
  /** Whole seconds; null where the browser cannot tell. */
  seconds: number | null | 'reading'
  /** Why it cannot be transcribed. Such a row is in no sum. */
  refusal: string | null
  /** How its sending is going; null while it waits for its turn, and after. */
  sent: Sent | null
  /** What its owner has of the same file: then it is sent and paid for only once that is asked for. */
  same: Same | null
  isAgain: boolean
  /** Why its sending has stopped, though it may go on. */
  trouble: string | null
  /** The transcription that it became when it had arrived, with the server's price. */
  arrived: Arrived | null
  /** It arrived with an order for a document of its own, which is in its price. */
  hasDocument: boolean
  /** The price that was confirmed, until its work begins. */
  agreed: number | null
}

/** What arrived before, as the list of the server has it. */
export type Waiting = Pick<
  Transcription,
  'id' | 'originalName' | 'duration' | 'creditsRequired' | 'levels' | 'sameAs' | 'recordedAt'
>

const fresh = {
  refusal: null,
  same: null,
  isAgain: false,
  sent: null,
  trouble: null,
  arrived: null,
  hasDocument: false,
  agreed: null,
}

/** Of the same name, size and date are one file. */
export const keyOf = ({ name, size, lastModified }: File): string =>
  `${name}/${size}/${lastModified}`

export const lineOf = (file: File): Line => {
  const refusal = refusalOf(file)
  return {
    ...fresh,
    key: keyOf(file),
    name: file.name,
    sizeBytes: file.size,
    file,
    seconds: refusal === null ? 'reading' : null,
    refusal,
  }
}

/** The row of a file that arrived before, and waits for its confirmation. */
export const lineOfArrived = (row: Waiting): Line => ({
  ...fresh,
  key: row.id,
  name: row.originalName,
  sizeBytes: null,
  file: null,
  seconds: row.duration,
  same: row.sameAs ?? null,
  arrived: {
    id: row.id,
    credits: row.creditsRequired,
    levels: row.levels,
    recordedAt: row.recordedAt,
  },
  hasDocument: row.creditsRequired > creditsFor(row.duration),
})

/** "312.4 MB. File size must be less than 100MB." */
function refusalOf(file: File): string | null {
  const problem = problemWith(file)
  if (problem === null || file.size <= MAX_UPLOAD_BYTES) return problem
  return `${formatBytes(file.size)}. File size must be less than 100MB.`
}

/** The price of a row now; null while nobody knows it. */
export function priceOf({ arrived, seconds }: Line): number | null {
  if (arrived) return arrived.credits
  return typeof seconds === 'number' ? creditsFor(seconds) : null
}

/** Of a document of each file, what a row costs besides its price. */
export const documentCredits = ({ hasDocument }: Line, withDocument: boolean): number =>
  withDocument && !hasDocument ? DOCUMENT_CREDITS : 0

/** It is there already, and nobody has asked for it again. */
export const isHad = ({ same, isAgain }: Line): boolean => same !== null && !isAgain

export const isChosen = (line: Line): boolean => line.refusal === null && !isHad(line)

/** The price that was shown before, where a file that has arrived costs another number of credits. */
export function hasOtherPrice({ arrived, agreed, seconds }: Line): { before: number } | null {
  if (!arrived) return null
  const before = agreed ?? (typeof seconds === 'number' ? creditsFor(seconds) : null)
  return before !== null && before !== arrived.credits ? { before } : null
}

export interface Sum {
  chosen: number
  refused: number
  credits: number
}

export function sumOf(lines: readonly Line[], { withDocument = false } = {}): Sum {
  const chosen = lines.filter(isChosen)
  return {
    chosen: chosen.length,
    refused: lines.filter(({ refusal }) => refusal !== null).length,
    credits: chosen.reduce(
      (sum, line) => sum + (priceOf(line) ?? 0) + documentCredits(line, withDocument),
      0,
    ),
  }
}

/** The chosen rows that the credits do not pay for, counted from the first. */
export function beyond(
  lines: readonly Line[],
  available: number,
  { withDocument = false } = {},
): Line[] {
  let left = available
  return lines.filter(isChosen).filter((line) => {
    const price = (priceOf(line) ?? 0) + documentCredits(line, withDocument)
    if (price > left) return true
    left -= price
    return false
  })
}

/** "4 can be transcribed, 1 cannot"; with too few credits "All can be transcribed with 5 more credits". */
export function verdictOf(sum: Sum, available: number): string {
  const missing = sum.credits - available
  if (missing <= 0) return verdict(sum)
  const [first = '', ...rest] = verdict(sum).split(', ')
  return [`${first} with ${moreCredits(missing)}`, ...rest].join(', ')
}

/** "5 more credits" */
export const moreCredits = (missing: number): string =>
  `${missing.toLocaleString('en-US')} more ${missing === 1 ? 'credit' : 'credits'}`

function verdict({ chosen, refused }: Sum): string {
  if (refused === 0) return chosen === 1 ? 'It can be transcribed' : 'All can be transcribed'
  if (chosen === 0) return refused === 1 ? 'It cannot be transcribed' : 'None can be transcribed'
  return `${chosen} can be transcribed, ${refused} cannot`
}

const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
/** "four"; from 13 on in figures. */
export const inWords = (count: number): string => numbers[count] ?? String(count)

export const filesInWords = (count: number): string => (count === 1 ? '1 file' : `${count} files`)
