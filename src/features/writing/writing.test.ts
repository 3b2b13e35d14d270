import { expect, test } from 'vitest'

import { keepWritingThread } from '#test/kept-thread.ts'

import type { WritingTurn } from './contract.ts'
import { guessLanguage } from './languages.ts'
import { extractive } from './writing.ts'

const turns: WritingTurn[] = [
  {
    speaker: 'Speaker A',
    startMs: 0,
    endMs: 6000,
    text: 'The harbour bridge will be closed for repairs until October.',
  },
  {
    speaker: 'Speaker B',
    startMs: 6500,
    endMs: 12_000,
    text: 'The ferry runs every ten minutes while the bridge is closed.',
  },
]
keepWritingThread()
const signal = new AbortController().signal
const local = 'Sentences taken from this transcript. No language model is set up on this server.'

test('a summary names its language, its engine and how it was made', async () => {
  const summary = await extractive.summarize(
    { turns, language: 'en', requestedLanguage: 'en' },
    { signal },
  )
  expect(summary).toMatchObject({ language: 'en', engine: 'extractive', note: local })
  expect(summary.text).toContain('bridge')
})

test('a summary asked for in the spoken language says nothing about languages', async () => {
  const summary = await extractive.summarize(
    { turns, language: 'en', requestedLanguage: 'auto' },
    { signal },
  )
  expect(summary.note).toBe(local)
})

test('a summary that could not be written in the language asked for says so', async () => {
  const summary = await extractive.summarize(
    { turns, language: 'en', requestedLanguage: 'de' },
    { signal },
  )
  expect(summary.language).toBe('en')
  expect(summary.note).toBe(
    'Sentences taken from this transcript, in its own language (English). No language model is set up on this server, so it could not be written in German.',
  )
})

test('a language that the recogniser did not name is found in the text', async () => {
  const text = 'Die Brücke ist bis Oktober geschlossen, weil sie repariert wird.'
  const order = { turns: [{ speaker: null, startMs: 0, endMs: 1000, text }], language: null }
  const summary = await extractive.summarize({ ...order, requestedLanguage: 'de' }, { signal })
  expect(summary).toMatchObject({ language: 'de', note: local, text })

  expect(guessLanguage('El puente está cerrado hasta octubre por las obras.')).toBe('es')
  expect(guessLanguage('橋は十月まで閉鎖されます。')).toBe('ja')
  expect(guessLanguage('大桥将关闭到十月。')).toBe('zh')
  expect(guessLanguage('')).toBe('en')
})

test('an empty transcript has an empty summary', async () => {
  const order = { turns: [], language: 'en', requestedLanguage: 'en' }
  expect(await extractive.summarize(order, { signal })).toMatchObject({
    text: '',
    keyPoints: [],
    topics: [],
  })
})

test('where only pieces of sentences were said there is no summary, and the note says why', async () => {
  const text =
    'Because of the price of the ferry and the notes of the office on the paper of the meeting and the train to the'
  const order = { turns: [{ speaker: null, startMs: 0, endMs: 9000, text }], language: 'en' }
  expect(
    await extractive.summarize({ ...order, requestedLanguage: 'en' }, { signal }),
  ).toMatchObject({
    text: '',
    keyPoints: [],
    note: 'No sentence of this transcript can be read alone. No language model is set up on this server.',
  })
})

test('a recording that was not understood is not summarised, and a sentence says so in the chosen language', async () => {
  const guessed = turns.map((turn) => ({
    ...turn,
    words: turn.text.split(' ').map((text, index) => ({
      text,
      startMs: turn.startMs + index * 400,
      endMs: turn.startMs + index * 400 + 300,
      confidence: 0.35,
    })),
  }))
  const order = { turns: guessed, language: 'en', requestedLanguage: 'de' }
  expect(await extractive.summarize(order, { signal })).toEqual({
    text: 'Die Wörter dieser Aufnahme sind zu unsicher für eine Zusammenfassung. Dauer der Rede: 0:11. Stimmen: 2. Erkannte Wörter: etwa 21. Bitte den Text mit der Aufnahme vergleichen oder eine bessere Spracherkennung verwenden.',
    keyPoints: [],
    actionItems: [],
    topics: [],
    chapters: null,
    kind: 'summary',
    language: 'de',
    engine: 'extractive',
    note: 'No sentences were taken from this transcript; their words are too uncertain. No language model is set up on this server.',
  })
})

test('a transcript with some uncertain words says how many', async () => {
  const unsure = turns.map((turn) => ({
    ...turn,
    words: turn.text.split(' ').map((text, index) => ({
      text,
      startMs: turn.startMs + index * 400,
      endMs: turn.startMs + index * 400 + 300,
      confidence: index === 4 ? 0.4 : 0.95,
    })),
  }))
  const order = { turns: unsure, language: 'en', requestedLanguage: 'en' }
  const summary = await extractive.summarize(order, { signal })
  expect(summary.text).toContain('bridge')
  expect(summary.note).toBe(
    `${local} The recognizer was unsure of 10% of the words; sentences with many of them were left out.`,
  )
})

test('aborting ends the work with the reason that was given', async () => {
  const day = Array.from({ length: 3000 }, () => turns).flat()
  const order = { turns: day, language: 'en', requestedLanguage: 'en' }
  const stop = new AbortController()
  const summary = extractive.summarize(order, { signal: stop.signal })
  const reason = new Error('The server is stopping.')
  setTimeout(() => stop.abort(reason), 50)
  await expect(summary).rejects.toBe(reason)
  await expect(extractive.summarize(order, { signal: stop.signal })).rejects.toBe(reason)
})
