/**
 * Remembers which files come from the microphone, so that their pieces can leave the shelf once the
 * server has them.
 */
const origins = new WeakMap<File, string>()

export function setOrigin(file: File, recordingId: string): File {
  origins.set(file, recordingId)
  return file
}

/** Which recording on the shelf a file was made from; nothing for a file from elsewhere. */
export const originOf = (file: File): string | undefined => origins.get(file)

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
