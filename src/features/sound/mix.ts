/**
 * Two channels become one. Adding them is right for almost every recording. Where one channel is the
 * other turned over (a cable with two wires exchanged, some phones and interfaces), adding leaves
 * silence, although it sounds well from two loudspeakers. There the second channel is turned back.
 */

/** A tenth of a second at 16 kHz: as long as is looked at before it is decided. */
const WINDOW_FRAMES = 1600
const WINDOW_SAMPLES = 2 * WINDOW_FRAMES
const WINDOW_BYTES = 2 * WINDOW_SAMPLES
/** Sound of half a second ago still counts a third, so that a pause decides nothing. */
const MEMORY = 0.8
/** The sum is 10 dB quieter than the difference: it cancels out. */
const CANCELS = 10
const ADDS_UP = 2

export interface Mixer {
  /** Takes pairs of 16 bit samples in order, cut anywhere; answers what is certain by now. */
  mix(block: Buffer): Buffer
  finish(): Buffer
}

export function mixer(): Mixer {
  let rest: Buffer = Buffer.alloc(0)
  let sum = 0
  let difference = 0
  let isTurned = false

  const mixWindow = (from: Int16Array, into: Int16Array) => {
    sum *= MEMORY
    difference *= MEMORY
    for (let at = 0; at + 1 < from.length; at += 2) {
      const left = from[at] ?? 0
      const right = from[at + 1] ?? 0
      sum += (left + right) * (left + right)
      difference += (left - right) * (left - right)
    }
    if (difference > CANCELS * sum) isTurned = true
    else if (sum > ADDS_UP * difference) isTurned = false
    const sign = isTurned ? -1 : 1
    for (let at = 0; at + 1 < from.length; at += 2)
      into[at >> 1] = ((from[at] ?? 0) + sign * (from[at + 1] ?? 0)) >> 1
  }
  const mixAll = (bytes: Buffer): Buffer => {
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1)
    const mixed = new Int16Array(bytes.length >> 2)
    for (let at = 0; at < samples.length; at += WINDOW_SAMPLES)
      mixWindow(samples.subarray(at, at + WINDOW_SAMPLES), mixed.subarray(at >> 1))
    return Buffer.from(mixed.buffer)
  }

  return {
    mix(block) {
      // A copy, which begins where 16 bit samples may: the block is the reader's again after this.
      const bytes = Buffer.concat([rest, block])
      const whole = bytes.length - (bytes.length % WINDOW_BYTES)
      rest = Buffer.from(bytes.subarray(whole))
      return mixAll(bytes.subarray(0, whole))
    },
    finish: () => mixAll(rest),
  }
}
