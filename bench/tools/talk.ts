/** Talk of three speakers, made up: common words often, rare ones seldom, the same each time. */
import { seeded } from '#shared/random.ts'

export function talk(turns: number, wordsEach: number): { speaker: number; text: string }[] {
  const random = seeded(7)
  const word = () => `word${Math.floor(4_000 * random() ** 3)}`
  return Array.from({ length: turns }, (_, turn) => ({
    speaker: turn % 3,
    text: Array.from({ length: wordsEach }, word).join(' '),
  }))
}
