import { expect, test } from 'vitest'

import { withSentences } from './sentences.ts'

/** Words with pauses in ms between them: `so it is 500 then we went`. */
function heard(script: string) {
  let at = 0
  return script.split(' ').flatMap((token) => {
    if (/^\d+$/.test(token)) {
      at += Number(token)
      return []
    }
    const startMs = at
    at += 200
    return [{ text: token, startMs, endMs: at, confidence: 1 }]
  })
}
const read = (script: string) =>
  withSentences(heard(script))
    .map(({ text }) => text)
    .join(' ')

test('a long pause ends a sentence', () => {
  expect(read('the child hurt the small dog 480 drop the two')).toBe(
    'The child hurt the small dog. Drop the two.',
  )
})

test('a short pause ends one only before a word that likes to begin one', () => {
  expect(read('read every line of it 260 you can decide later')).toBe(
    'Read every line of it. You can decide later.',
  )
  expect(read('read every line of it 260 carefully and slowly')).toBe(
    'Read every line of it carefully and slowly.',
  )
})

test('no sentence ends with a word that wants another', () => {
  expect(read('we looked at all of the 900 numbers')).toBe('We looked at all of the numbers.')
})

test('no sentence has three words or fewer because of a pause', () => {
  expect(read('well then 600 we can begin')).toBe('Well then we can begin.')
})

test('a long sentence ends at a shorter pause', () => {
  const long = 'one line after another was read aloud by someone who never stopped reading lines'
  expect(read(`${long} 300 another began`)).toMatch(/lines\. Another began\.$/)
  expect(read('one line was read 300 another began')).toBe('One line was read another began.')
})

test('I, names of days and the name after Mr. are capital', () => {
  expect(read("and i think i'm seeing mister dashwood on monday")).toBe(
    "And I think I'm seeing Mr. Dashwood on Monday.",
  )
})

test('a sentence that ends on a dot gets no second one', () => {
  expect(read('she spoke to mister')).toBe('She spoke to Mr.')
})

test('times and confidences stay as they were', () => {
  const words = heard('so it is')
  const rest = words.map((word) => ({ ...word, text: expect.any(String) }))
  expect(withSentences(words)).toEqual(rest)
  expect(withSentences([])).toEqual([])
})
