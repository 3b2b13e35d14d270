/** Recordings made byte by byte: a tone in 16 bit samples. */

/** The head of a WAV file, with padding up to where its samples begin. Sizes may be lies. */
export function wavHead({
  dataBytes,
  dataAt = 44,
  rateHz = 16_000,
  channels = 1,
  bits = 16,
}: {
  dataBytes: number
  dataAt?: number
  rateHz?: number
  channels?: number
  bits?: 8 | 16
}): Buffer {
  const head = Buffer.alloc(dataAt)
  const frameBytes = (channels * bits) / 8
  head.write('RIFF', 0)
  head.writeUInt32LE((dataAt + dataBytes - 8) >>> 0, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rateHz, 24)
  head.writeUInt32LE(rateHz * frameBytes, 28)
  head.writeUInt16LE(frameBytes, 32)
  head.writeUInt16LE(bits, 34)
  if (dataAt > 44) {
    head.write('JUNK', 36)
    head.writeUInt32LE(dataAt - 8 - 44, 40)
  }
  head.write('data', dataAt - 8)
  head.writeUInt32LE(dataBytes, dataAt - 4)
  return head
}

/** Mono, 16 kHz; the sound stands at the end, behind padding where it is shorter than the file. */
export function wav({
  soundSeconds,
  sizeBytes,
}: {
  soundSeconds: number
  sizeBytes: number
}): Buffer {
  const dataBytes = soundSeconds * 32_000
  const dataAt = sizeBytes - dataBytes
  const file = Buffer.concat([wavHead({ dataBytes, dataAt }), Buffer.alloc(dataBytes)])
  for (let at = dataAt; at < sizeBytes; at += 2)
    file.writeInt16LE(Math.round(8000 * Math.sin(at / 40)), at)
  return file
}
