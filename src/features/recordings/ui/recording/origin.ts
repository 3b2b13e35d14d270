/** Which files come from the microphone: once the server has one, its pieces on the shelf may go. */
const origins = new WeakMap<File, string>()

export function setOrigin(file: File, recordingId: string): File {
  origins.set(file, recordingId)
  return file
}

/** The server has it. */
export async function letGo(file: File): Promise<void> {
  const id = origins.get(file)
  if (id === undefined) return
  const { forget } = await import('./shelf.ts')
  await forget(id)
}

const SIGN = 'recording-kept'

/** Something may lie on the shelf; a page without it opens no database and loads no code for one. */
export const kept = {
  may: () => localStorage.getItem(SIGN) !== null,
  set: (id: string) => localStorage.setItem(SIGN, id),
  clear: () => localStorage.removeItem(SIGN),
}
