/** The labels that are written into a file: its title, and chapters that players show. */
import { writeFile } from 'node:fs/promises'

export interface Labels {
  title: string
  chapters: readonly { title: string; startMs: number }[]
  durationMs: number
}

/** Files with labels: ffmpeg's arguments for their container. */
export const labelled = {
  m4a: ['-f', 'ipod', '-movflags', '+faststart'],
  mp4: ['-f', 'mp4', '-movflags', '+faststart'],
  mp3: ['-f', 'mp3', '-id3v2_version', '3'],
} as const

export const isLabelled = (format: string): format is keyof typeof labelled => format in labelled

/** Arguments for one more input, a file that is written to this path; see `labelsOf`. */
export async function labelsIn(path: string, labels: Labels): Promise<string[]> {
  await writeFile(path, asFfmetadata(labels))
  return ['-protocol_whitelist', 'file', '-f', 'ffmetadata', '-i', `file:${path}`]
}

/** Arguments that take all labels from an input, by its number. */
export const labelsOf = (input: number): string[] =>
  ['-map_metadata', '-map_chapters'].flatMap((option) => [option, String(input)])

function asFfmetadata({ title, chapters, durationMs }: Labels): string {
  const plain = (line: string) => line.replace(/\s+/g, ' ').replace(/[=;#\\]/g, '\\$&')
  const each = chapters.map(({ title: name, startMs }, at) =>
    [
      '[CHAPTER]',
      'TIMEBASE=1/1000',
      `START=${startMs}`,
      `END=${chapters[at + 1]?.startMs ?? durationMs}`,
      `title=${plain(name)}`,
    ].join('\n'),
  )
  return [';FFMETADATA1', `title=${plain(title)}`, ...each, ''].join('\n')
}
