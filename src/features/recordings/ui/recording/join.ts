/**
 * Makes one recording of stretches that different recorders have written: packet by packet, without
 * encoding anything anew. The files themselves set end to end are not one that every program reads:
 * the times of the second begin at zero again.
 */
import {
  BlobSource,
  BufferTarget,
  EncodedAudioPacketSource,
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'

/** @throws Error when a stretch cannot be read, or has another codec than the first. */
export async function joinStretches(
  stretches: readonly Blob[],
): Promise<{ bytes: ArrayBuffer; seconds: number }> {
  const inputs = stretches.map(
    (stretch) => new Input({ source: new BlobSource(stretch), formats: [WEBM, MP4] }),
  )
  const tracks = await Promise.all(inputs.map((input) => input.getPrimaryAudioTrack()))
  const codec = await tracks[0]?.getCodec()
  if (!codec) throw new Error('a stretch without sound')
  const target = new BufferTarget()
  const format = codec === 'opus' ? new WebMOutputFormat() : new Mp4OutputFormat()
  const output = new Output({ format, target })
  const joined = new EncodedAudioPacketSource(codec)
  output.addAudioTrack(joined)
  await output.start()
  let seconds = 0
  for (const track of tracks) {
    const decoderConfig = await track?.getDecoderConfig()
    if (!track || !decoderConfig || (await track.getCodec()) !== codec)
      throw new Error('a stretch that does not fit the first')
    let first: EncodedPacket | null = null
    let last: EncodedPacket | null = null
    let spacing = 0
    for await (const packet of new EncodedPacketSink(track).packets()) {
      first ??= packet
      if (last) spacing = packet.timestamp - last.timestamp
      last = packet
      const timestamp = seconds + packet.timestamp - first.timestamp
      await joined.add(packet.clone({ timestamp }), { decoderConfig })
    }
    if (!first || !last) continue
    // No file says how long its last packet is: as long as the one before.
    seconds += last.timestamp - first.timestamp + Math.max(spacing, last.duration)
  }
  await output.finalize()
  if (!target.buffer) throw new Error('nothing was written')
  return { bytes: target.buffer, seconds }
}
