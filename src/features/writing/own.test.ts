/** Documents of a kind that their user has described, by models that obey and by those that do not. */
import { expect, test } from 'vitest'

import type { ChatBehaviour } from '#test/fakes/chat.ts'
import { injections } from '#test/injections.ts'
import { aChatServer, aModelSaying, turnsOf } from '#test/models.ts'

import { type OwnKind, type OwnOrder, ownLengths, ownParts } from './contract.ts'
import { WRITTEN_BY_AI, extractive } from './writing.ts'

const { chat, aModel } = await aChatServer()

const said = [
  'The harbour bridge will be closed for repairs until October.',
  'The ferry runs all day long while the bridge is closed.',
  'We have decided to extend the ferry until midnight on Fridays.',
  'It costs a lot of money, and Martha Quill has to sign for it.',
]
const own: OwnKind = {
  name: 'Report for the harbour master',
  instructions:
    'What the harbour master has to know about the bridge and the ferry this week\nWhat has been decided and who has to sign for it in the end',
  length: 'short',
  parts: ownParts,
}
const orderOf = (kind: Partial<OwnKind> = {}, texts = [...said, ...said, ...said]): OwnOrder => ({
  turns: turnsOf(...texts),
  language: 'en',
  requestedLanguage: 'en',
  own: { ...own, ...kind },
  name: 'harbour.m4a',
  recordedOn: '2026-11-20',
  durationMs: 360_000,
})
const signal = new AbortController().signal

async function written(behaviour: ChatBehaviour, order = orderOf()) {
  const answer = await aModel(behaviour).writer.compose(order, { signal })
  if (answer.kind !== 'written') throw new Error(JSON.stringify(answer))
  return answer.document
}

test('the description is a part of the task, and the transcript is data', async () => {
  const { writer, asked } = aModel('obedient')
  const answer = await writer.compose(orderOf(), { signal })
  expect(answer).toMatchObject({
    kind: 'written',
    document: { engine: 'llm', language: 'en', note: WRITTEN_BY_AI },
  })
  const [{ instructions, prompt } = { instructions: '', prompt: '' }] = asked()
  expect(instructions).toContain(own.instructions)
  expect(instructions).toContain(`and ${ownLengths.short.maxWords} words`)
  expect(prompt).not.toContain('harbour master')
  expect(prompt).toContain(said[0])
  // Both stand between marks that nobody can guess.
  expect(instructions).toMatch(/^<<< description [0-9a-f]{16}$/m)
})

test('headings may be the words of the description', async () => {
  const { content } = await written('own-headings')
  for (const line of own.instructions.split('\n')) expect(content).toContain(`## ${line}`)
})

test.each([
  ['own-echo', 'prompt'],
  ['parrot', 'prompt'],
  ['own-leak', 'prompt'],
  ['mark', 'prompt'],
  ['own-lie', 'invented'],
  ['other-language', 'language'],
  ['one-sentence', 'repeats'],
  ['cut', 'bounds'],
  ['page', 'other'],
  ['blank', 'other'],
] as const)(
  'what is not to be shown (%s) is not shown, and it is said why (%s)',
  async (behaviour, why) => {
    const { writer, asked } = aModel(behaviour)
    const long = orderOf({
      instructions: `${own.instructions}\nThe morning and the evening of each boat that comes or goes, in the order in which they were told, and what is still open between the office and the crew of the boat after all of that.`,
    })
    expect(await writer.compose(long, { signal })).toEqual({ kind: 'not_passed', why })
    expect(asked()).toHaveLength(2)
  },
)

test('a model that writes headings and nothing under them has written nothing', async () => {
  const headings = said.map((sentence) => `## ${sentence}`).join('\n')
  const writer = await aModelSaying(`# The boats\n${headings}`)
  expect(await writer.compose(orderOf(), { signal })).toEqual({ kind: 'not_passed', why: 'other' })
})

test.each([
  ['down', 'away'],
  ['unknown-key', 'away'],
  ['slow', 'slow'],
] as const)(
  'a model that does not answer (%s) leaves no other text (%s)',
  async (behaviour, kind) => {
    const { writer } = aModel(behaviour, { timeoutMs: 300 })
    expect(await writer.compose(orderOf(), { signal })).toEqual({ kind })
  },
)

test('without a model there is none, and of a few words no document', async () => {
  expect(await extractive.compose(orderOf(), { signal })).toEqual({ kind: 'no_model' })
  const { writer, asked } = aModel('obedient')
  const little = orderOf({}, ['Hello.', 'Hi there.'])
  expect(await writer.compose(little, { signal })).toEqual({ kind: 'too_little' })
  expect(asked()).toEqual([])
})

test('a document shows the ticked facts, with the speakers and times of the transcript', async () => {
  const { content } = await written('own-parts')
  expect(content).toContain('They heard Ada Lovett there.')
  expect(content).toContain('It was at 0:06 in the morning.')
  expect(content).toContain('They met on November 20, 2026.')
  expect(content).toContain(`One said “${said[0]}” and left.`)
  // The model has it said by somebody else.
  expect(content).toContain(`> “${said[0]!.slice(0, -1)}” — Ada Lovett, 0:00`)
})

test('a fact that was not ticked is not told to the model, or taken out of its text', async () => {
  const { writer, asked } = aModel('own-parts')
  // Both numbers are said, and the time that they make is none that was.
  const texts = [...said, ...said, 'There were 6 boats, and 0 of them came back.', ...said]
  const answer = await writer.compose(orderOf({ parts: [] }, texts), { signal })
  const [{ prompt } = { prompt: '' }] = asked()
  expect(prompt).not.toMatch(/Ada Lovett|Ben Okafor|harbour\.m4a|2026/)
  const content = answer.kind === 'written' ? answer.document.content : null
  expect(content).not.toMatch(/Ada Lovett|0:06|2026|“|^>/m)
  expect(content).toContain('They ')
})

test('quotes without names and times have neither', async () => {
  const { content } = await written('own-parts', orderOf({ parts: ['quotes'] }))
  expect(content).toContain(`> “${said[0]!.slice(0, -1)}”\n`)
})

test('a name in the description may stand in the document, a number that nobody said may not', async () => {
  const instructions = 'A note to Miranda Oakes, the mayor, on the 14,711 euros that she paid.'
  const answer = await aModel('own-lie').writer.compose(orderOf({ instructions }), { signal })
  expect(answer).toEqual({ kind: 'not_passed', why: 'invented' })
  const both = `${instructions} It was not 47,811 euros.`
  const { content } = await written('own-parts', orderOf({ instructions: both }))
  expect(content).not.toContain('47,811')
  expect(content).toContain('a long letter to Miranda Oakes')
  expect((await written('own-parts')).content).not.toContain('Miranda')
})

test('a hostile recording moves nothing out of its marks, and a hostile model shows no markup', async () => {
  const { writer, asked } = aModel('hostile')
  let shown = 0
  for (const injection of injections.slice(0, 12)) {
    const order = orderOf({ length: 'middle' }, [...said, injection, ...said, ...said])
    const answer = await writer.compose(order, { signal })
    if (answer.kind !== 'written') continue
    shown += 1
    expect(`${answer.document.title}\n${answer.document.content}`).not.toMatch(
      /https?:|javascript:|<[a-z/]|!\[|\]\(|onerror|nobody has ever said/i,
    )
  }
  expect(shown).toBeGreaterThan(0)
  for (const { instructions, prompt } of asked()) {
    for (const injection of injections) expect(instructions).not.toContain(injection)
    const lines = prompt.split('\n')
    expect(lines.filter((line) => line.startsWith('<<<'))).toHaveLength(1)
    expect(lines.at(-1)).toMatch(/^transcript [0-9a-f]{16} >>>$/)
  }
  expect(chat.trapped).toEqual([])
})

test('aborting ends the question', async () => {
  const { writer, asked } = aModel('slow', { timeoutMs: 60_000 })
  const stop = new AbortController()
  const answer = writer.compose(orderOf(), { signal: stop.signal })
  await expect.poll(asked).toHaveLength(1)
  stop.abort(new Error('nobody waits any more'))
  await expect(answer).rejects.toThrow('nobody waits any more')
})
