/**
 * Makes the transcription of the sample recording that everybody may open: sample.json, which is what
 * the model that comes with the set-up writes of sample.m4a, with the words that it doubts and the
 * times that alignment found, and the voices as they are told apart without further models.
 *
 * node scripts/make-sample-transcription.ts        needs ffmpeg, pocketsphinx and the model of the set-up
 *
 * The file is committed, so run this only when the recording, the model or the pipeline changes. The
 * summary is written by hand, and its note says so. Its quotes are searched in the text, so that they
 * stay the same as the text.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SET_UP_MODELS } from '#features/models/models.ts'
import { peakMeter } from '#features/recordings/peaks.ts'
import { measure } from '#features/sound/decode.ts'
import { chooseEngine, transcribe } from '#features/speech/speech.ts'

const summary = [
  'Nobody can say any more why the price was raised last month: the reason was never written down, and the only notes were left on a train. So the two of them agree to record every meeting from now on and to keep the text where everybody can find it.',
  'People are asked first, at the beginning of every meeting, and a single no is enough to turn the recording off. Since nobody has time for ten pages on a Monday morning, the summary is what will be read; where it looks strange, that part can be listened to again. They try it for four weeks.',
].join('\n')

const keyPoints = [
  {
    text: 'Nobody remembers why the price was raised.',
    quote:
      'Last month we decided to raise the price, and this morning three people asked me why I could not tell them.',
  },
  {
    text: 'The only notes were on paper, and the paper is gone.',
    quote: 'I made some notes on paper, and then I left the paper on the train.',
  },
  {
    text: 'Every meeting is to be recorded and its text kept for everybody.',
    quote:
      'I think we should record every meeting and keep the text so that everybody can find it later.',
  },
  {
    text: 'Everybody is asked first, and one no turns the recording off.',
    quote: 'we ask at the beginning, and if one person says no, we turn it off.',
  },
  {
    text: 'A trial of four weeks begins with the meeting on Thursday.',
    quote: 'then let us try it for four weeks, beginning with the meeting on Thursday.',
  },
]

const topics = ['Price increase', 'Lost notes', 'Recording meetings', 'Consent', 'Four-week trial']
const note = 'Written by hand, for our own sample recording. The text is as it was heard.'

const folder = new URL('../src/features/transcriptions/sample/', import.meta.url).pathname
const recording = join(folder, 'sample.m4a')
const { signal } = new AbortController()

const meter = peakMeter()
const measured = await measure(recording, {
  signal,
  maxDurationMs: 3_600_000,
  onPcm: meter.listen,
})
if (measured.kind === 'refused') throw new Error(`sample.m4a: ${measured.reason}`)
const { turns, language, engine } = await heard()
const sample = {
  language,
  engine,
  durationMs: measured.durationMs,
  summary,
  summaryNote: note,
  keyPoints: keyPoints.map((point) => ({ ...point, startMs: startOf(point.quote) })),
  topics,
  turns,
}
writeFileSync(join(folder, 'sample.json'), `${JSON.stringify(sample, null, 1)}\n`)
writeFileSync(join(folder, 'peaks.json'), `${JSON.stringify(meter.finish())}\n`)

async function heard() {
  const scratch = mkdtempSync(join(tmpdir(), 'make-sample-'))
  const stages = { get: async () => null, put: async () => {} }
  const { diarizer: _, ...own } = await chooseEngine({
    transcriber: 'sherpa',
    modelsDir: SET_UP_MODELS,
  })
  try {
    const job = { path: recording, workDir: scratch, engine: own }
    const result = await transcribe(job, stages, () => {}, signal)
    if (result.kind === 'refused') throw new Error(`sample.m4a: ${result.reason}`)
    return result
  } finally {
    await own.close?.()
    rmSync(scratch, { recursive: true })
  }
}

/** When the quote begins. It must be there once, word for word, within one turn. */
function startOf(quote: string): number {
  const [turn, second] = turns.filter(({ text }) => text.includes(quote))
  if (!turn || second) throw new Error(`not said exactly once: ${quote}`)
  const before = turn.text.slice(0, turn.text.indexOf(quote)).split(' ').length - 1
  return turn.words[before]?.startMs ?? turn.startMs
}
