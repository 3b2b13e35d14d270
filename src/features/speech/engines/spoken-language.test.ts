import { expect, test } from 'vitest'

import { languageCode, languageOfText } from './spoken-language.ts'

test.each([
  ['en', 'I think that we should have a look at this before the meeting, and then we can go on.'],
  [
    'de',
    'Ich glaube, dass wir uns das vor der Sitzung noch einmal ansehen sollten, und zwar alle.',
  ],
  [
    'fr',
    "Je pense que nous devrions regarder cela avant la réunion, et puis on verra ce qu'il y a.",
  ],
  ['es', 'Creo que deberíamos mirar esto antes de la reunión, y después ya lo veremos con ellos.'],
  ['it', 'Penso che dovremmo guardare questo prima della riunione, e poi vediamo come si fa.'],
  ['nl', 'Ik denk dat we dit voor de vergadering moeten bekijken, en dan zien we het wel weer.'],
  [
    'pl',
    'Myślę, że powinniśmy to zobaczyć przed spotkaniem, a potem już się okaże, co z tego jest.',
  ],
  ['ru', 'Я думаю, что мы должны посмотреть на это до встречи, а потом уже будет видно.'],
  ['uk', 'Я думаю, що ми повинні подивитися на це до зустрічі, а потім вже буде видно.'],
  ['ja', '会議の前にこれを見るべきだと思います。'],
  ['zh', '我觉得我们应该在会议之前看一下这个。'],
  ['ko', '회의 전에 이것을 봐야 한다고 생각합니다.'],
])('a sentence of %s is known by its script or its small words', (language, text) => {
  expect(languageOfText(text)).toBe(language)
})

test('only a possible language is answered, and none for a single word', () => {
  expect(languageOfText('Ich glaube, dass wir das noch einmal ansehen sollten.', ['en'])).toBe('en')
  expect(languageOfText('Hallo.')).toBeNull()
  expect(languageOfText('')).toBeNull()
  expect(languageOfText('Я думаю, что мы должны посмотреть.', ['en', 'de'])).toBeNull()
})

test('a language is known by its code and by its English name', () => {
  expect(['english', 'German', 'en', 'en-US', '<|zh|>', 'norwegian'].map(languageCode)).toEqual([
    'en',
    'de',
    'en',
    'en',
    'zh',
    'no',
  ])
  expect([null, undefined, '', 'not a language'].map(languageCode)).toEqual([
    null,
    null,
    null,
    null,
  ])
})
