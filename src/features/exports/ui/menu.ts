/** The rows of the menu of Export, each with the kinds of files that a recording has. */
import type { TranscriptionRow } from '#features/transcriptions/contract.ts'

import type { ExportFormat, SoundFormat } from '../contract.ts'
import { endingOf, exportFormats, formatGroups, formatNames, isNamedAsFilm } from '../formats.ts'

/** The recording itself is a kind too, and its sound with chapters in it. */
export type Kind = ExportFormat | 'recording' | SoundFormat
export type RowName = keyof typeof formatGroups | 'Sound'

export const sounds: readonly Kind[] = ['recording', 'm4a', 'mp3']
export const kinds: readonly Kind[] = [...formatNames, ...sounds]
/** A file that the server writes from the text. */
export const isWritten = (kind: Kind): kind is ExportFormat => !sounds.includes(kind)

/** The facts of a recording by which the menu is made. */
export interface Known {
  originalName: string
  hasText: boolean
  /** Null where it cannot be told: then its files are offered, and its sound is not. */
  hasChapters: boolean | null
  hasRecording: boolean
  /** It has a picture, or is the sound of something that has one. */
  isFilm: boolean
  /** The recording that is kept has a picture, and not sound alone. */
  isPictureKept: boolean
  isDoubtKnown: boolean
  /** Not known of many: their lists of cuts are taken one by one. */
  hasCuts: boolean
  film?: Film | null
}

/** What a file says of the beginning of its film. */
export type Film = NonNullable<TranscriptionRow['filmStart']>

export interface MenuRow {
  name: RowName
  kinds: readonly Kind[]
}

export function menuOf(known: Known): MenuRow[] {
  const { hasText, hasChapters, hasRecording, isFilm, isPictureKept, hasCuts } = known
  const recording: Kind[] = hasRecording ? ['recording'] : []
  const written = (name: keyof typeof formatGroups): MenuRow => ({
    name,
    kinds: hasText ? formatGroups[name] : [],
  })
  const { Chapters: _, Film: __, Cut: ___, ...texts } = formatGroups
  const rows: MenuRow[] = [
    ...(Object.keys(texts) as (keyof typeof texts)[]).map(written),
    ...(hasChapters === false ? [] : [written('Chapters')]),
    {
      name: 'Sound',
      kinds: [
        ...(isPictureKept ? [] : recording),
        ...(hasRecording && hasText && hasChapters ? (['m4a', 'mp3'] as const) : []),
      ],
    },
    ...(isFilm
      ? [
          {
            name: 'Film' as const,
            kinds: [...(isPictureKept ? recording : []), ...written('Film').kinds],
          },
        ]
      : []),
    ...(hasCuts ? [written('Cut')] : []),
  ]
  return rows.filter((row) => row.kinds.length > 0)
}

/** The row that is chosen, and the kind in it: the one that is asked for, else the first there is. */
export function chosenOf(
  menu: readonly MenuRow[],
  kind: Kind,
): { row: MenuRow; kind: Kind } | null {
  const row = menu.find((one) => one.kinds.includes(kind))
  if (row) return { row, kind }
  const [first] = menu
  const [firstKind] = first?.kinds ?? []
  return first && firstKind ? { row: first, kind: firstKind } : null
}

export const kindName = (kind: Kind): string =>
  kind === 'recording'
    ? 'As it came'
    : isWritten(kind)
      ? exportFormats[kind].name
      : kind.toUpperCase()

/** ".srt, .vtt" */
export function endingsOf({ kinds: all }: MenuRow, originalName: string): string {
  const endings = all.map((kind) => {
    if (kind === 'recording') return /\.[^.]{1,5}$/.exec(originalName)?.[0].toLowerCase() ?? ''
    return `.${isWritten(kind) ? endingOf(kind).replace(/.*\./, '') : kind}`
  })
  return [...new Set(endings)].filter(Boolean).join(', ')
}

/**
 * Whether there is a film, or the sound of one, which says where that begins. When the recording is gone,
 * its name alone says so.
 */
export function filmOf({
  picture,
  recordingKeptUntil,
  originalName,
  filmStart: film = null,
}: Pick<
  TranscriptionRow,
  'picture' | 'recordingKeptUntil' | 'originalName' | 'filmStart'
>): Required<Pick<Known, 'isFilm' | 'isPictureKept' | 'film'>> {
  const isGone = recordingKeptUntil === null
  const isNamed = isGone && isNamedAsFilm(originalName)
  return {
    isFilm: Boolean(picture) || film !== null || isNamed,
    isPictureKept: picture === 'shown' || picture === 'cannot',
    film,
  }
}
