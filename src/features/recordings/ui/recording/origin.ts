/**
 * Remembers which files come from the microphone, so that their pieces can leave the shelf once the
 * server keeps them, and how long and how loud they are: a recorder writes no length into its file.
 */
export interface Origin {
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
