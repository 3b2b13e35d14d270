/**
 * Takes the sound out of a video on this device. Where the file's own sound can stand alone, it is
 * copied as it is: fast, and nothing is lost; else it is encoded anew. The library for it is large
 * and comes only when it is asked for.
 */
import {
  ALL_FORMATS,
  BlobSource,
  BufferTarget,
  Conversion,
  Input,
  Mp3OutputFormat,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'

import { markAsSoundOfVideo } from './sounds-of-videos.ts'

/** @throws Error when there is no sound in it, or this browser cannot read it. */
export async function extractSound(
  video: File,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<File> {
  const input = new Input({ source: new BlobSource(video), formats: ALL_FORMATS })
  const track = await input.getPrimaryAudioTrack()
  if (!track) throw new Error('no sound')
  const { format, extension, type } = containerFor(await track.getCodec())
  const target = new BufferTarget()
  const conversion = await Conversion.init({
    input,
    output: new Output({ format, target }),
    video: { discard: true },
    tracks: 'primary',
    audio: {},
  })
  if (!conversion.isValid) throw new Error('cannot be converted here')
  conversion.onProgress = onProgress
  signal.addEventListener('abort', () => void conversion.cancel(), { once: true })
  await conversion.execute()
  if (!target.buffer) throw new Error('nothing was written')
  const base = video.name.replace(/\.[^.]+$/, '')
  // As old as the video: taken out again, it is known for the same, and what was begun of it goes on.
  const { lastModified } = video
  return markAsSoundOfVideo(
    new File([target.buffer], `${base}.${extension}`, { type, lastModified }),
  )
}

function containerFor(codec: string | null) {
  if (codec === 'mp3')
    return { format: new Mp3OutputFormat(), extension: 'mp3', type: 'audio/mpeg' }
  if (codec === 'opus' || codec === 'vorbis')
    return { format: new WebMOutputFormat(), extension: 'webm', type: 'audio/webm' }
  return { format: new Mp4OutputFormat(), extension: 'm4a', type: 'audio/mp4' }
}
