/**
 * Lifts very quiet recordings, which are heard worse: made from far away, or with the level turned
 * down. As soon as a stretch is as loud as recordings usually are, nothing after it is changed, so that
 * a pause in an ordinary recording stays as it is.
 */

/** Held back until its level is known: half a megabyte, which is decoded in a tenth of a second. */
const STRETCH_BYTES = 2 * 16_000 * 15
const FRAME_SAMPLES = 320
/** The level is that of its loud frames: not of its pauses, and not of a door that slams. */
const LOUD_SHARE = 0.95
const QUIET_DB = -40
const WANTED_DB = -25
const QUIET = amplitude(QUIET_DB)
const WANTED = amplitude(WANTED_DB)
/** Sound that would need more than 40 dB is little more than the rounding of 16 bits. */
const MOST_DB = 40
const MOST_GAIN = 10 ** (MOST_DB / 20)

interface Lifter {
  /** Takes 16 bit samples in order, cut anywhere; answers those whose level is known. */
  lift(block: Buffer): Buffer
  finish(): Buffer
}

/** A sample of 16 bits: too much is clipped, and does not turn over. */
export const inRange = (value: number): number =>
  Math.max(-32_768, Math.min(32_767, Math.round(value)))

/** By how much a sound of this level is lifted. */
export const liftOf = (levelDb: number): number =>
  levelDb < QUIET_DB ? Math.min(MOST_DB, WANTED_DB - levelDb) : 0

export function lifter(): Lifter {
  let rest: Buffer = Buffer.alloc(0)
  let loudest = 0

  const liftStretch = (bytes: Buffer): Buffer => {
    // A copy that begins where 16 bit samples may.
    const lifted = Buffer.alloc(bytes.length)
    bytes.copy(lifted)
    const samples = new Int16Array(lifted.buffer, 0, lifted.length >> 1)
    loudest = Math.max(loudest, loudnessOf(samples))
    const gain = loudest < QUIET ? Math.min(MOST_GAIN, WANTED / loudest) : 1
    for (let at = 0; gain > 1 && at < samples.length; at++)
      samples[at] = inRange((samples[at] ?? 0) * gain)
    return lifted
  }

  return {
    lift(block) {
      if (loudest >= QUIET) return block
      rest = Buffer.concat([rest, block])
      const known: Buffer[] = []
      while (loudest < QUIET && rest.length >= STRETCH_BYTES) {
        known.push(liftStretch(rest.subarray(0, STRETCH_BYTES)))
        rest = rest.subarray(STRETCH_BYTES)
      }
      if (loudest < QUIET) return Buffer.concat(known)
      known.push(rest)
      rest = Buffer.alloc(0)
      return Buffer.concat(known)
    },
    finish: () => liftStretch(rest),
  }
}

function amplitude(dbfs: number): number {
  return 32_768 * 10 ** (dbfs / 20)
}

function loudnessOf(samples: Int16Array): number {
  const powers: number[] = []
  for (let from = 0; from < samples.length; from += FRAME_SAMPLES) {
    const frame = samples.subarray(from, from + FRAME_SAMPLES)
    powers.push(frame.reduce((sum, sample) => sum + sample * sample, 0) / frame.length)
  }
  powers.sort((a, b) => a - b)
  return Math.sqrt(powers[Math.floor(powers.length * LOUD_SHARE)] ?? 0)
}
