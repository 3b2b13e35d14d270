/**
 * Remembers which files come from the share menu, so that the browser keeps each until the server
 * has it or its user has thrown it away.
 */
export const SHARED = 'shared-files'

const places = new WeakMap<File, string>()

export function setShared(file: File, place: string): File {
  places.set(file, place)
  return file
}

/** A file that was made from a shared one stands for it from now on. */
export function passShared(from: File, to: File): void {
  const place = places.get(from)
  if (place !== undefined) places.set(to, place)
}

/** Nothing happens with a file from elsewhere. */
export async function forgetShared(file: File): Promise<void> {
  const place = places.get(file)
  if (place === undefined) return
  const cache = await caches.open(SHARED)
  await cache.delete(place)
  if ((await cache.keys()).length === 0) await caches.delete(SHARED)
}
