/**
 * Remembers which files come from the microphone, so that their pieces can leave the shelf once the
 * server has them, and how long they are: a recorder writes no length into its file.
 */
interface Origin {
  recordingId: string
  /** Null where the stretches of a recording could not be joined: then nobody knows of each. */
  seconds: number | null
  /** How loud it was, from 0 to 1; absent where the file is a part of the recording. */
  levels?: readonly number[] | undefined
  /** Which of the recording's files this is. There is one file if its stretches could be joined. */
  part: number
  parts: number
}

const origins = new WeakMap<Blob, Origin>()

export function setOrigin(file: File, origin: Origin): File {
  origins.set(file, origin)
  return file
}

/** Which recording on the shelf a file was made from; nothing for a file from elsewhere. */
export const originOf = (file: Blob): Origin | undefined => origins.get(file)

const sent = new Map<string, Set<number>>()

/** Notes that the server has this file, and says which recording it has whole by it. */
export function wholeBy(file: Blob): string | null {
  const origin = origins.get(file)
  if (!origin) return null
  const { recordingId, part, parts } = origin
  const key = `${recordingId} in ${parts}`
  const numbers = sent.get(key) ?? new Set()
  sent.set(key, numbers.add(part))
  return numbers.size === parts ? recordingId : null
}
