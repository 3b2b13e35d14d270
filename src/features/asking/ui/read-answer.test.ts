import { expect, test } from 'vitest'

import { GivenUp, readAnswer } from './read-answer.ts'

/** The bytes of a text, cut every so many of them. */
const cut = (text: string, every: number): ReadableStream<Uint8Array<ArrayBuffer>> => {
  const bytes = new TextEncoder().encode(text)
  return new ReadableStream({
    start: (controller) => {
      for (let from = 0; from < bytes.length; from += every)
        controller.enqueue(bytes.slice(from, from + every))
      controller.close()
    },
  })
}

const event = (name: string, data: object) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
const quote = { at: 72.4, text: 'The binder goes “sticky” …' }
const answered = { answer: { id: '1', text: 'Because it is sticky: 你好' }, left: 39 }
const whole =
  ': open\n\n' +
  event('sentence', { text: 'Because it is sticky: 你好' }) +
  event('quote', quote) +
  ': still open\n\n' +
  event('done', answered) +
  event('sentence', { text: 'Nothing comes after the end.' })

async function read(text: string, every: number) {
  const sentences: string[] = []
  const quotes: unknown[] = []
  const end = await readAnswer(cut(text, every), {
    onSentence: (sentence) => sentences.push(sentence),
    onQuote: (one) => quotes.push(one),
  }).catch((error: unknown) => error)
  return { sentences, quotes, end }
}

test.each([1, 2, 3, 7, 64, 10_000])(
  'an answer is read whole when the network cuts it every %i bytes',
  async (every) => {
    expect(await read(whole, every)).toEqual({
      sentences: ['Because it is sticky: 你好'],
      quotes: [quote],
      end: answered,
    })
  },
)

test('an answer that the server gives up says why', async () => {
  const { end } = await read(event('failed', { message: 'This recording is gone.' }), 5)
  expect(end).toBeInstanceOf(GivenUp)
  expect(end).toMatchObject({ message: 'This recording is gone.' })
})

test('an answer that breaks off is none, also in the middle of its last event', async () => {
  for (const text of ['', whole.slice(0, whole.indexOf('"left"')), event('quote', quote)]) {
    const { end } = await read(text, 9)
    expect(end).toBeInstanceOf(Error)
    expect(end).not.toBeInstanceOf(GivenUp)
  }
})
