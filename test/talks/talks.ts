/**
 * Transcripts of made-up talks, as a recogniser may write them: a meeting and an interview with
 * misheard names, a lecture without a full stop, one talk in German and one in Spanish. Each line of
 * a file is a turn: speaker, seconds from the beginning, text. Their words are read at an even pace.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

import { transcriptions } from '#features/row/tables.ts'
import type { WritingTurn } from '#features/writing/contract.ts'
import { turns as turnRows } from '#features/text/tables.ts'
import recording from '#features/transcriptions/sample/sample.json' with { type: 'json' }
import type { Db } from '#server/db.ts'

export const talkNames = [
  'ferry-launch',
  'coffee-roaster',
  'bridges-lecture',
  'gartenverein',
  'faro',
] as const
export type TalkName = (typeof talkNames)[number]

export interface Talk {
  name: string
  language: string
  speakers: string[]
  durationMs: number
  turns: (WritingTurn & { speaker: string; words: NonNullable<WritingTurn['words']> })[]
}

export function readTalk(name: TalkName): Talk {
  const lines = readFileSync(new URL(`${name}.tsv`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const told = (what: string) =>
    lines.find((line) => line.startsWith(`# ${what}: `))?.slice(what.length + 4) ?? ''
  const said = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'))
  const durationMs = Number(told('end')) * 1000
  const turns = said.map(([speaker = '', seconds = '', text = ''], index) => {
    const startMs = Math.round(Number(seconds) * 1000)
    const nextMs = Math.round(Number(said[index + 1]?.[1] ?? told('end')) * 1000)
    const parts = text.split(' ')
    const eachMs = Math.floor((nextMs - startMs - 500) / parts.length)
    const words = parts.map((part, at) => ({
      text: part,
      startMs: startMs + at * eachMs,
      endMs: startMs + (at + 1) * eachMs - 20,
      confidence: 0.9,
    }))
    return { speaker, startMs, endMs: words.at(-1)!.endMs, text, words }
  })
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))]
  return { name: told('name'), language: told('language'), speakers, durationMs, turns }
}

/** The product's own recording, as the model of the set-up heard it. */
export function sampleTalk(): Talk {
  const { language, durationMs, turns } = recording
  const speakers = ['Ada', 'Ben']
  return {
    name: 'sample.m4a',
    language,
    durationMs,
    speakers,
    turns: turns.map(({ speaker, ...turn }) => ({ ...turn, speaker: speakers[speaker] ?? 'Ada' })),
  }
}

/** A talk as a job leaves it, its speakers named. Answers its id. */
export async function storeTalk(db: Db, userId: string, talk: Talk): Promise<string> {
  const createdAt = new Date()
  const [row] = await db
    .insert(transcriptions)
    .values({
      userId,
      originalName: talk.name,
      storageKey: randomUUID(),
      sizeBytes: 1_000,
      durationMs: talk.durationMs,
      summaryLanguage: 'auto',
      createdAt,
      finishedAt: createdAt,
      status: 'completed',
      language: talk.language,
      engine: 'sherpa',
      creditsRequired: 1,
      transcriptionText: talk.turns.map(({ text }) => text).join('\n\n'),
      speakerCount: talk.speakers.length,
      speakers: talk.speakers.map((speaker, number) => ({ speaker: number, name: speaker })),
    })
    .returning()
  await db.insert(turnRows).values(
    talk.turns.map(({ speaker, words, ...turn }, position) => ({
      ...turn,
      transcriptionId: row!.id,
      position,
      speaker: talk.speakers.indexOf(speaker),
      words: [...words],
    })),
  )
  return row!.id
}
