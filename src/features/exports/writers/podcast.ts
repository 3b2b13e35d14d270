/** The chapters of an episode as podcast apps read them: JSON chapters 1.2 of the podcast namespace. */
import type { Write } from './writer.ts'

export const write: Write = ({ title, chapters }) => {
  const list = chapters.map((one) => ({ startTime: one.startMs / 1000, title: one.title }))
  return `${JSON.stringify({ version: '1.2.0', title, chapters: list }, null, 2)}\n`
}
