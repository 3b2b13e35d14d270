/**
 * How many lies of a language model are shown with a proof, and how many true sentences are lost? Each
 * sentence of the lists in bench/proof goes through every door of the writer by itself, over HTTP,
 * from a stand-in for a model that answers with exactly this. A sentence is shown with proof where its
 * quote stands beside it (a task: with its owner and its day too; a turn: without the mark of doubt).
 *
 *     npm run bench -- proof [--each] [FILE…]
 *
 * With `--each` the lies that are shown with proof and the truths that are not shown are printed too.
 * FILE: other lists in place of these, as YAML in the same form, or as a module (proof/lists.ts).
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'

import type { TranslatedTurn, Writer } from '#features/writing/contract.ts'
import { languageOf } from '#features/writing/languages.ts'
import { countWords } from '#features/writing/plain.ts'
import { fold } from '#features/writing/proof.ts'
import { chooseWriter } from '#features/writing/writing.ts'
import { silentLog } from '#server/log.ts'

import { type List, type Told, ownLists, readList } from './proof/lists.ts'
import { printTable } from './tools/report.ts'

type Outcome = 'with proof' | 'without' | 'not shown'
const outcomes = ['with proof', 'without', 'not shown'] as const satisfies readonly Outcome[]

interface Result {
  list: List
  told: Told
  isLie: boolean
  door: string
  outcome: Outcome
}

const { values, positionals } = parseArgs({
  options: { each: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const { signal } = new AbortController()

const model = await aModel()

/** A server that answers every question with the same words, and a writer that asks it. */
async function aModel() {
  let answer = ''
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const choice = { index: 0, message: { role: 'assistant', content: answer } }
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ choices: [{ ...choice, finish_reason: 'stop' }] }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const llm = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey: null,
    model: 'stand-in',
    contextTokens: 32_000,
    timeoutMs: 60_000,
    pauseMs: 0,
  }
  const writer = chooseWriter({ summarizer: 'llm', llm }, silentLog)
  return {
    /** The writer, whose model says this from now on. */
    saying(words: unknown): Writer {
      answer = typeof words === 'string' ? words : JSON.stringify(words)
      return writer
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Each way in which a sentence reaches a reader. Null where it has no form for it. */
const doors: Record<string, (list: List, told: Told, isLie: boolean) => Promise<Outcome | null>> = {
  async 'key point'(list, { text, turn, quote }) {
    const keyPoints = [{ text, turns: turn === null ? [] : [turn], quote }]
    const summary = await summaryOf(list, { keyPoints })
    const point = summary.keyPoints.find((point) => isSame(point.text, text))
    if (!point) return 'not shown'
    return point.quote === null ? 'without' : 'with proof'
  },
  async summary(list, { text }) {
    const gap = languageOf(list.language).isUnspaced ? '' : ' '
    const summary = await summaryOf(list, { summary: list.about + gap + text })
    return holds(summary.text, text) ? 'without' : 'not shown'
  },
  async answer({ name, question, language, turns }, { text, turn, quote }) {
    const writer = model.saying(turn === null ? text : `${text} [${turn}] "${quote}"`)
    const passages = turns.map((said) => ({ ...said, name }))
    const order = { question, before: null, passages, language, isOfMany: false }
    const answer = await writer.answer?.(order, { signal, tell: () => undefined })
    const sentence = answer?.sentences.find((sentence) => isSame(sentence.text, text))
    if (!sentence) return 'not shown'
    return sentence.quotes.length === 0 ? 'without' : 'with proof'
  },
  /** Any lie can be a task, but a truth only where it is one. */
  async task(list, { text, turn, quote, task }, isLie) {
    if (!task && !isLie) return null
    const asked = task ?? { text, who: null, due: null }
    const actionItems = [{ ...asked, turn: turn ?? -1, quote }]
    const summary = await summaryOf(list, { actionItems })
    const item = summary.actionItems?.find((item) => isSame(item.text, asked.text))
    if (!item) return 'not shown'
    return item.who === asked.who && item.due === asked.due ? 'with proof' : 'without'
  },
  /** Minutes: quotes that make them long enough, the summary, and the sentence with its quote. */
  async document({ name, language, turns, about }, { text, turn, quote }) {
    const others = turns.filter((_, index) => index !== turn)
    const said: string[] = []
    for (const { speaker, text } of others)
      if (countWords(said.join('\n')) < MINUTES) said.push(`> “${text}” — ${speaker}\n`)
    const proof = turn === null ? [] : [`> “${quote}” — ${turns[turn]?.speaker}`]
    const lines = [...said, about, '', `- ${text}`, ...proof]
    const order = {
      turns,
      language,
      requestedLanguage: language,
      name,
      durationMs: lengthOf(turns),
    }
    const written = await model
      .saying(lines.join('\n'))
      .compose({ ...order, kind: 'meeting-minutes', withImages: false }, { signal })
    if (written.kind !== 'written') return 'not shown'
    const shown = written.document.content.split('\n').filter((line) => line !== '')
    const at = shown.findIndex((line) => isSame(line, text))
    if (at === -1) return 'not shown'
    const next = shown[at + 1] ?? ''
    return next.startsWith('>') && quote !== '' && holds(next, quote) ? 'with proof' : 'without'
  },
  async translation({ turns, language, into }, { turn, translated }) {
    const said = turns.filter((_, index) => index === turn)
    if (translated === null || said.length === 0) return null
    const done: TranslatedTurn[] = []
    await model
      .saying({ turns: [{ number: 1, text: translated }] })
      .translate?.(
        { turns: said, language, into, terms: [] },
        { signal, onDone: async (turns) => done.push(...turns) > 0 },
      )
    const [part] = done[0]?.parts ?? []
    if (!part || !isSame(part.text, translated)) return 'not shown'
    return part.isUnsure ? 'without' : 'with proof'
  },
}

/** Minutes may not be shorter. */
const MINUTES = 130

const isSame = (one: string, other: string): boolean => fold(one).letters === fold(other).letters
const holds = (text: string, part: string): boolean =>
  fold(text).letters.includes(fold(part).letters)
const lengthOf = (turns: List['turns']): number => turns.at(-1)?.endMs ?? 0

async function summaryOf({ turns, language, about }: List, more: object) {
  const writer = model.saying({ summary: about, keyPoints: [], topics: [], ...more })
  return writer.summarize({ turns, language, requestedLanguage: language }, { signal })
}

async function tryAll(list: List): Promise<Result[]> {
  const tried: Result[] = []
  const sentences = [
    ...list.lies.map((told) => ({ told, isLie: true })),
    ...list.truths.map((told) => ({ told, isLie: false })),
  ]
  for (const [door, put] of Object.entries(doors))
    for (const { told, isLie } of sentences) {
      const outcome = await put(list, told, isLie)
      if (outcome) tried.push({ list, told, isLie, door, outcome })
    }
  return tried
}

function printDoors({ name, lies, truths }: List, tried: readonly Result[]): void {
  const heads = ['lies', 'truths'].flatMap((what) => [what, ...outcomes])
  const rows = Object.keys(doors).map((door) => [
    door,
    ...[true, false].flatMap((isLie) => {
      const here = tried.filter((result) => result.door === door && result.isLie === isLie)
      const count = (outcome: Outcome) => here.filter((one) => one.outcome === outcome).length
      return [here.length, ...outcomes.map(count)].map(String)
    }),
  ])
  printTable(`${name}: ${lies.length} lies, ${truths.length} truths`, [['', ...heads], ...rows])
}

function printEach(tried: readonly Result[]): void {
  for (const { told, isLie, door, outcome } of tried)
    if (outcome === (isLie ? 'with proof' : 'not shown'))
      console.log(`  ${isLie ? 'shown' : 'lost'} as ${door}: ${told.text} (${told.kind})`)
}

/** For each kind of lie how many were shown with proof, of how many. */
function printKinds(all: readonly Result[]): void {
  const lies = all.filter(({ isLie }) => isLie)
  const names = Object.keys(doors)
  const rows = [...Map.groupBy(lies, ({ told }) => told.kind)].map(([kind, each]) => [
    kind,
    ...names.map((door) => {
      const here = each.filter((result) => result.door === door)
      const shown = here.filter(({ outcome }) => outcome === 'with proof')
      return here.length === 0 ? '' : `${shown.length} of ${here.length}`
    }),
  ])
  printTable('Lies shown with proof, by kind', [['', ...names], ...rows])
}

const results: Result[] = []
const lists =
  positionals.length > 0 ? await Promise.all(positionals.map(readList)) : await ownLists()
for (const list of lists) {
  const tried = await tryAll(list)
  results.push(...tried)
  printDoors(list, tried)
  if (values.each) printEach(tried)
}
printKinds(results)
await model.close()
