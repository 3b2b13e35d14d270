/** Remembers which files are the sound of a video that this device has taken out. */
const sounds = new WeakSet<File>()

export function markAsSoundOfVideo(file: File): File {
  sounds.add(file)
  return file
}

export const isSoundOfVideo = (file: File): boolean => sounds.has(file)
