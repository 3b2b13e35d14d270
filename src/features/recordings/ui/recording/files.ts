/** Makes the file, or else the files, of a recording from its pieces. */
import { groupBy } from '#web/group-by.ts'

import { setOrigin } from './origin.ts'
import { type Left, type Piece, pieces } from './shelf.ts'
import type { KeptRecording } from './state.ts'
import { recordingTitle } from './words.ts'

/**
 * One file. Stretches of several recorders are joined; where that cannot be, because their code did not
 * come or a stretch is broken, each is a file of its own, so that nothing is lost.
 */
export async function filesOf(
  recording: KeptRecording,
  all: readonly Pick<Piece, 'piece' | 'stretch' | 'levels'>[],
  seconds: number | null,
): Promise<File[]> {
  const stretches = [...groupBy(all, ({ stretch }) => stretch).values()].map(
    (some) =>
      new Blob(
        some.map(({ piece }) => piece),
        { type: recording.type },
      ),
  )
  const named = (bytes: BlobPart[], known: number | null, part?: number) =>
    setOrigin(fileNamed(recording, bytes, part), {
      recordingId: recording.id,
      seconds: known,
      levels: part === undefined ? all.flatMap(({ levels }) => levels) : undefined,
      part: part ?? 1,
      parts: part === undefined ? 1 : stretches.length,
    })
  if (stretches.length < 2) return [named(stretches, seconds)]
  try {
    const { joinStretches } = await import('./join.ts')
    const joined = await joinStretches(stretches)
    return [named([joined.bytes], joined.seconds)]
  } catch {
    return stretches.map((stretch, index) => named([stretch], null, index + 1))
  }
}

export const filesLeft = async ({ recording, seconds }: Left): Promise<File[]> =>
  filesOf(recording, await pieces(recording), seconds)

/** "Recording of 26 November, 01:46.webm" */
export function fileNamed(
  { startedAt, type }: Pick<KeptRecording, 'startedAt' | 'type'>,
  parts: BlobPart[],
  part?: number,
): File {
  const ending = type.startsWith('audio/mp4') ? 'm4a' : 'webm'
  const title = recordingTitle(startedAt) + (part === undefined ? '' : `, part ${part}`)
  return new File(parts, `${title}.${ending}`, {
    type: type.split(';')[0] ?? type,
    // The same after a reload, so that what was sent of it is known again.
    lastModified: startedAt.getTime(),
  })
}
