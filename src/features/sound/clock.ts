/**
 * One clock: samples lie where a player plays them. ffmpeg writes samples one after the other,
 * whatever times the file gives them; these arguments make it write silence where the file has none.
 *
 * Promise: a word stands where a player plays it, whatever the file's times and index are like
 * (recordings/measure.ts, decision 054).
 */
import type { Container } from './container.ts'

/**
 * A longer gap is not filled: no recording has one, and times that jump by days must not fill the
 * disk. What follows it is taken to follow at once.
 */
const LONGEST_GAP_SECONDS = 3600
/** Smaller steps are the rounding of a container, or the unsteady clock of a recorder. */
const SHORTEST_GAP_SECONDS = 0.1

/**
 * Keeps the times of files whose zero is the zero of a player. Other containers begin anywhere, an
 * MPEG stream often at some hours, and are no files that browsers play.
 */
export const clockIn = (container: Container): string[] =>
  ['mov', 'matroska', 'ogg'].includes(container) ? ['-copyts'] : []

/**
 * The filters that fill gaps and resample. The first corrects times that cannot be: those that go
 * back, and those that jump too far. It keeps in 0 where the next sample belongs, in 1 what is added to
 * the file's times, in 2 where this block belongs, in 3 what is missing before it, in 4 the last gap,
 * -1 for a correction. It prints each gap but the one before the first sound, and each one block late:
 * at the end it is asked once more, without a block and with a time that means nothing.
 */
export function filling(rateHz: number): string {
  const isWrong = `gt(ld(3),${LONGEST_GAP_SECONDS})+lt(ld(3),-${SHORTEST_GAP_SECONDS})`
  const isGap = `gt(ld(3),${SHORTEST_GAP_SECONDS})*gt(N,0)`
  const seconds = [
    'if(ld(4),print(ld(4)))',
    'st(2,if(isnan(T),ld(0),T+ld(1)))',
    'st(3,ld(2)-ld(0))',
    `st(4,if(${isWrong},st(1,ld(1)-ld(3));st(2,ld(0));-1,${isGap}*ld(3)))`,
    'st(0,ld(2)+NB_SAMPLES/SR)',
    'ld(2)/TB',
  ].join(';')
  return `asetpts='${seconds}',aresample=${rateHz}:async=1:first_pts=0`
}
