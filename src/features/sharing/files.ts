/** A shared transcription for programs. */
import { profileFor } from '#features/exports/captions/caption-profiles.ts'
import { buildCues, toVtt } from '#features/exports/captions/cues.ts'
import { toPlainText } from '#features/exports/plain-text.ts'
import { toJson } from '#features/exports/text-formats.ts'
import { actionsHeading, taskLine } from '#features/action-items/action-text.ts'
import { chapterLine, formatTime } from '#shared/format.ts'

import { talkOf } from './page.ts'
import type { Shown } from './shown.ts'

export const shareFormats = ['txt', 'vtt', 'json'] as const
export type ShareFormat = (typeof shareFormats)[number]

export const types: Record<ShareFormat, string> = {
  txt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

export function contentOf(
  shown: Shown,
  { format, recording }: { format: ShareFormat; recording: string | null },
): string {
  const { title, said, names, summary, chapters, durationMs } = shown
  const language = shown.language ?? 'und'
  switch (format) {
    case 'txt': {
      const points = (summary?.keyPoints ?? []).map(({ text, startMs }) =>
        startMs === null ? `- ${text}` : `- ${text} (${formatTime(startMs / 1000)})`,
      )
      const contents = chapters.map(({ startMs, title: name }) => chapterLine(startMs / 1000, name))
      const items = summary?.actionItems ?? []
      const tasks = items.length > 0 ? [actionsHeading(items), ...items.map(taskLine)] : []
      const written = [
        summary?.text.trim() ?? '',
        ...[contents, points, tasks].map((lines) => lines.join('\n')),
      ]
      const head = [title, ...written, summary?.note].filter(Boolean)
      return `${head.join('\n\n')}\n\n${toPlainText(said, names)}`
    }
    case 'vtt': {
      const hasNames = talkOf(said).length > 0
      const profile = profileFor('netflix', language)
      const options = { profile, names, hasNames, hasVoices: true, endMs: durationMs }
      return toVtt(buildCues(said, options), { title, language })
    }
    case 'json': {
      const { text = '', keyPoints = [], topics = [], note = null } = summary ?? {}
      const tasks = (summary?.actionItems ?? []).map(
        ({ id: _id, speaker: _speaker, quote: _quote, isSentence: _is, isOwn: _own, ...task }) =>
          task,
      )
      const points = keyPoints.map(({ text: point, startMs }) => ({
        text: point,
        at: startMs === null ? null : startMs / 1000,
      }))
      const more = {
        recordedAt: shown.recordedAt,
        addedAt: shown.createdAt.toISOString(),
        ...(summary
          ? { summary: { text, keyPoints: points, actionItems: tasks, topics, note } }
          : {}),
        ...(recording === null ? {} : { recording }),
      }
      return toJson(said, {
        title,
        language,
        durationMs,
        engine: null,
        names,
        headings: chapters,
        more,
      })
    }
  }
}
