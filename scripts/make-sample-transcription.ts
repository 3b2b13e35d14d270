/**
 * Makes the transcription of the sample recording that everybody may open: sample.json from
 * sample.txt (what is said), sample.rttm (when which voice speaks) and the words that the embedded
 * recogniser hears in sample.m4a (when which word is said).
 *
 * node scripts/make-sample-transcription.ts        needs ffmpeg and pocketsphinx
 *
 * The file is committed, so run this only when the recording or the words below change. The summary
 * is written by hand. Its quotes are searched in the text, so that they stay the same as the text.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Turn, Word } from '#features/speech/contract.ts'
import { chooseEngine, measure, transcribe } from '#features/speech/speech.ts'

const summary = [
  'Nobody can say any more why the price was raised last month: the reason was never written down, and the only notes were left on a train. So the two of them agree to record every meeting from now on and to keep the text where everybody can find it.',
  'People are asked first, at the beginning of every meeting, and a single no is enough to turn the recording off. Since nobody has time for ten pages on a Monday morning, the summary is what will be read; where it looks strange, that part can be listened to again. They try it for four weeks.',
].join('\n')

const keyPoints = [
  {
    text: 'Nobody remembers why the price was raised.',
    quote:
      'Last month we decided to raise the price, and this morning three people asked me why. I could not tell them.',
  },
  {
    text: 'The only notes were on paper, and the paper is gone.',
    quote: 'I made some notes on paper, and then I left the paper on the train.',
  },
  {
    text: 'Every meeting is to be recorded and its text kept for everybody.',
    quote:
      'I think we should record every meeting and keep the text, so that everybody can find it later.',
  },
  {
    text: 'Everybody is asked first, and one no turns the recording off.',
    quote: 'We ask at the beginning, and if one person says no, we turn it off.',
  },
  {
    text: 'A trial of four weeks begins with the meeting on Thursday.',
    quote: 'Then let us try it for four weeks, beginning with the meeting on Thursday.',
  },
]

const topics = ['Price increase', 'Lost notes', 'Recording meetings', 'Consent', 'Four-week trial']
const note = 'Corrected by hand. This is our own sample recording.'

const folder = new URL('../src/features/transcriptions/sample/', import.meta.url).pathname
const recording = join(folder, 'sample.m4a')
const { signal } = new AbortController()

const spoken = readFileSync(join(folder, 'sample.txt'), 'utf8')
const places = readFileSync(join(folder, 'sample.rttm'), 'utf8')
const turns = timed(turnsIn(spoken, places), await heardWords())
const sample = {
  language: 'en',
  durationMs: await duration(),
  summary,
  summaryNote: note,
  keyPoints: keyPoints.map((point) => ({ ...point, startMs: startOf(point.quote) })),
  topics,
  turns,
}
writeFileSync(join(folder, 'sample.json'), `${JSON.stringify(sample, null, 1)}\n`)

async function duration(): Promise<number> {
  const measured = await measure(recording, { signal, maxDurationMs: 3_600_000 })
  if (measured.kind === 'refused') throw new Error(`sample.m4a: ${measured.reason}`)
  return measured.durationMs
}

async function heardWords(): Promise<Word[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'make-sample-'))
  const stages = { get: async () => null, put: async () => {} }
  try {
    const engine = await chooseEngine({ transcriber: 'pocketsphinx' })
    const job = { path: recording, workDir: scratch, engine }
    const heard = await transcribe(job, stages, () => {}, signal)
    if (heard.kind === 'refused') throw new Error(`sample.m4a: ${heard.reason}`)
    return heard.turns.flatMap(({ words }) => words)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

/**
 * The turns as they were written and spoken. Their words still have the times of the whole turn.
 */
function turnsIn(text: string, rttm: string): Turn[] {
  const spans = rttm
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
  const names = [...new Set(spans.map((fields) => fields[7]))]
  const lines = text.trim().split('\n')
  if (lines.length !== spans.length) throw new Error('sample.txt and sample.rttm do not agree')
  return spans.map((fields, index) => {
    const said = (lines[index] ?? '').replace(/^\w+:\s*/, '')
    const startMs = Math.round(Number(fields[3]) * 1000)
    const endMs = startMs + Math.round(Number(fields[4]) * 1000)
    const words = said.split(' ').map((word) => ({ text: word, startMs, endMs, confidence: null }))
    return { speaker: names.indexOf(fields[7]), startMs, endMs, text: said, words }
  })
}

/** Gives each word the time at which the recogniser heard it, or a share of the time between. */
function timed(turns: Turn[], heard: Word[]): Turn[] {
  return turns.map((turn) => {
    const within = heard.filter(({ startMs, endMs }) => {
      const middleMs = (startMs + endMs) / 2
      return middleMs >= turn.startMs && middleMs < turn.endMs
    })
    const pairs = commonWords(turn.words, within)
    const words: Word[] = []
    let fromMs = turn.startMs
    for (const [index, word] of turn.words.entries()) {
      const match = pairs.get(index)
      if (!match) continue
      const startMs = Math.max(fromMs, match.startMs)
      words.push(...spread(turn.words.slice(words.length, index), { fromMs, toMs: startMs }))
      fromMs = Math.min(turn.endMs, match.endMs)
      words.push({ ...word, startMs, endMs: fromMs })
    }
    words.push(...spread(turn.words.slice(words.length), { fromMs, toMs: turn.endMs }))
    return { ...turn, words }
  })
}

/** Words that were not recognised share the time between their neighbours by their length. */
function spread(words: Word[], { fromMs, toMs }: { fromMs: number; toMs: number }): Word[] {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0)
  let passed = 0
  return words.map((word) => {
    const startMs = Math.round(fromMs + ((toMs - fromMs) * passed) / letters)
    passed += word.text.length
    const endMs = Math.round(fromMs + ((toMs - fromMs) * passed) / letters)
    if (endMs - startMs < 40) throw new Error(`no time is left for "${word.text}" at ${startMs} ms`)
    return { ...word, startMs, endMs }
  })
}

/** The longest sequence of words that both hold, as places of the spoken and words of the heard. */
function commonWords(spoken: Word[], heard: Word[]): Map<number, Word> {
  const plain = ({ text }: Word) => text.toLowerCase().replace(/[^a-z]/g, '')
  const longest = spoken.map(() => heard.map(() => 0))
  const lengthAt = (i: number, j: number) => longest[i]?.[j] ?? 0
  for (let i = spoken.length - 1; i >= 0; i--)
    for (let j = heard.length - 1; j >= 0; j--) {
      const [a, b, row] = [spoken[i], heard[j], longest[i]]
      if (!a || !b || !row) continue
      row[j] =
        plain(a) === plain(b)
          ? lengthAt(i + 1, j + 1) + 1
          : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
    }
  const pairs = new Map<number, Word>()
  for (let [i, j] = [0, 0]; i < spoken.length && j < heard.length;) {
    const [a, b] = [spoken[i], heard[j]]
    if (a && b && plain(a) === plain(b)) {
      pairs.set(i, b)
      i += 1
      j += 1
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i += 1
    else j += 1
  }
  return pairs
}

/** When the quote begins. It must be there once, word for word, within one turn. */
function startOf(quote: string): number {
  const [turn, second] = turns.filter(({ text }) => text.includes(quote))
  if (!turn || second) throw new Error(`not said exactly once: ${quote}`)
  const before = turn.text.slice(0, turn.text.indexOf(quote)).split(' ').length - 1
  return turn.words[before]?.startMs ?? turn.startMs
}
