/**
 * Length of a file on this device in whole seconds, read by a media element before anything is
 * sent. Null when the browser cannot tell: an unknown codec, or a recording without a length.
 */
export function localDuration(file: Blob): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  const url = URL.createObjectURL(file)
  const media = document.createElement('video')
  const answer = (seconds: number | null) => {
    clearTimeout(timer)
    media.removeAttribute('src')
    URL.revokeObjectURL(url)
    resolve(seconds)
  }
  const timer = setTimeout(() => answer(null), 8_000)
  media.preload = 'metadata'
  media.muted = true
  media.addEventListener('error', () => answer(null), { once: true })
  media.addEventListener(
    'loadedmetadata',
    () => answer(Number.isFinite(media.duration) ? Math.floor(media.duration) : null),
    { once: true },
  )
  media.src = url
  return promise
}
