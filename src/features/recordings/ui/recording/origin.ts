/**
 * Remembers which files come from the microphone, so that their pieces can leave the shelf once the
 * server has them, and how long they are: a recorder writes no length into its file.
 */
interface Origin {
  recordingId: string
  /** Null for what an older version has recorded. */
  seconds: number | null
}

const origins = new WeakMap<Blob, Origin>()

export function setOrigin(file: File, origin: Origin): File {
  origins.set(file, origin)
  return file
}

/** Which recording on the shelf a file was made from; nothing for a file from elsewhere. */
export const originOf = (file: Blob): Origin | undefined => origins.get(file)

const SIGN = 'recording-kept'

/**
 * Whether something may lie on the shelf. Otherwise the page opens no database and loads no code
 * for it.
 */
export const kept = {
  may: () => localStorage.getItem(SIGN) !== null,
  set: (id: string) => localStorage.setItem(SIGN, id),
  clear: () => localStorage.removeItem(SIGN),
}
