/**
 * Made meetings, with sentences about them as a language model would write them: some are lies, and
 * each of these has a quote that was really said; the others are true. They were written before the
 * checks that they measure.
 */
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { parse } from 'yaml'
import { z } from 'zod'

import type { WritingTurn } from '#features/writing/contract.ts'

/** A sentence about a meeting, and what a model would give as its proof. */
export interface Told {
  /** The kind of lie, or of what a careless check would take for one. */
  kind: string
  text: string
  /** The turn that it cites; null where it cites none. */
  turn: number | null
  /** Words of this turn, letter for letter. */
  quote: string
  /** The same as a model would write it into a list of tasks. */
  task: Task | null
  /** The whole turn as a model would translate it; null where that cannot go wrong in the same way. */
  translated: string | null
}

interface Task {
  text: string
  who: string | null
  due: string | null
}

export interface List {
  name: string
  /** The language of the recording and of the sentences about it, as ISO 639-1. */
  language: string
  /** The language of the translated turns. */
  into: string
  turns: WritingTurn[]
  /** A true summary, to stand around a sentence: a text of which half is false is not shown at all. */
  about: string
  /** It fits every sentence. */
  question: string
  lies: Told[]
  truths: Told[]
}

const Sentence = z.strictObject({
  kind: z.string(),
  text: z.string(),
  quote: z.string(),
  task: z
    .strictObject({ text: z.string(), who: z.string(), due: z.string().default('') })
    .transform((task) => ({ ...task, due: task.due || null }))
    .nullable()
    .default(null),
  translated: z.string().nullable().default(null),
})

const Sheet = z.strictObject({
  language: z.string(),
  into: z.string(),
  question: z.string(),
  about: z.string(),
  /** The name of a speaker, and what was said. */
  turns: z.array(z.record(z.string(), z.string())),
  lies: z.array(Sentence),
  truths: z.array(Sentence),
})

/** More sentences about the meeting of another file beside it. */
const More = Sheet.pick({ lies: true, truths: true }).extend({ of: z.string() })

/** A shorter form, as a module: sentences by their places, and the turns beside it in meeting.mjs. */
const Module = z.object({
  lies: z.array(z.tuple([z.string(), z.string(), z.number().nullable(), z.string()])),
  truths: z.array(z.tuple([z.string(), z.number().nullable(), z.string()])),
  summaryTrue: z.string(),
})
const Meeting = z.object({
  turns: z.array(
    z.object({ speaker: z.string(), text: z.string(), startMs: z.number(), endMs: z.number() }),
  ),
})

/** The lists beside this file. @throws where a quote was not said */
export async function ownLists(): Promise<List[]> {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const sheets = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort()
  return Promise.all(sheets.map((name) => readList(`${folder}${name}`)))
}

/** A list in a file of either form. @throws where it has another, or a quote was not said */
export async function readList(path: string): Promise<List> {
  return path.endsWith('.yaml') ? readSheet(path) : readModule(path)
}

async function readSheet(path: string): Promise<List> {
  const { turns, lies, truths, ...sheet } = await sheetIn(path)
  const said = timed(turns.flatMap((turn) => Object.entries(turn)))
  const placed = (told: z.infer<typeof Sentence>): Told => ({
    ...told,
    turn: placeOf(told.quote, said),
  })
  return {
    ...sheet,
    name: basename(path, '.yaml'),
    turns: said,
    lies: lies.map(placed),
    truths: truths.map(placed),
  }
}

async function sheetIn(path: string): Promise<z.infer<typeof Sheet>> {
  const written = z.union([Sheet, More]).parse(parse(await readFile(path, 'utf8')))
  if (!('of' in written)) return written
  const { of, ...sentences } = written
  return { ...(await sheetIn(resolve(path, '..', of))), ...sentences }
}

/** Such a list is in English and has no translations. */
async function readModule(path: string): Promise<List> {
  const imported = async (file: string): Promise<unknown> => import(pathToFileURL(file).href)
  const { lies, truths, summaryTrue } = Module.parse(await imported(resolve(path)))
  const meeting = resolve(path, '../meeting.mjs')
  const { turns } = Meeting.parse(await imported(existsSync(meeting) ? meeting : resolve(path)))
  const told = (
    kind: string,
    ...[text, turn, quote]: z.infer<typeof Module>['truths'][number]
  ): Told => ({ kind, text, turn, quote, task: taskIn(text), translated: null })
  return {
    name: basename(path),
    language: 'en',
    into: 'de',
    turns,
    about: summaryTrue,
    question: 'What was said about this in the meeting?',
    lies: lies.map(([kind, ...sentence]) => told(kind, ...sentence)),
    truths: truths.map((sentence) => told('true', ...sentence)),
  }
}

/** "Ada will call them" as a task. */
function taskIn(text: string): Task | null {
  const [, who, verb = '', rest = ''] = /^(\p{Lu}\p{L}+) will (\p{L})(.+)\.$/u.exec(text) ?? []
  return who === undefined ? null : { text: verb.toUpperCase() + rest, who, due: null }
}

function placeOf(quote: string, turns: readonly WritingTurn[]): number {
  const places = turns.flatMap(({ text }, index) => (text.includes(quote) ? [index] : []))
  const [place, another] = places
  if (place === undefined || another !== undefined)
    throw new Error(`said ${places.length} times and not once: ${quote}`)
  return place
}

const LETTER_MS = 65
/** A letter of these scripts takes as long as two and a half of others. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu
const PAUSE_MS = 400

function timed(said: readonly (readonly [speaker: string, text: string])[]): WritingTurn[] {
  let startMs = 0
  return said.map(([speaker, text]) => {
    const letters = text.length + 1.5 * (text.match(dense)?.length ?? 0)
    const endMs = startMs + Math.round(letters * LETTER_MS)
    const turn = { speaker, text, startMs, endMs }
    startMs = endMs + PAUSE_MS
    return turn
  })
}
