import { readFile } from 'node:fs/promises'

import { expect, test } from 'vitest'

import { oldestBrowsers } from '#shared/browsers.ts'

import { faq, priceQuestions } from './faq.ts'
import { fits } from './prose.ts'

const answerTo = (id: string) =>
  faq.sections
    .find((one) => one.id === id)
    ?.html.replaceAll(/<[^>]+>/g, '')
    .replaceAll('\n', ' ')

test('there are sixteen questions, each with an address of its own', () => {
  expect(faq.sections).toHaveLength(16)
  expect(new Set(faq.sections.map(({ id }) => id)).size).toBe(16)
  expect(priceQuestions).toHaveLength(5)
})

test('the browsers that pages are built for are named, here and in the README', async () => {
  expect(answerTo('browsers')).toContain(`${oldestBrowsers}, or a newer one`)
  const readme = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8')
  expect(readme.replaceAll(/\s+/g, ' ')).toContain(`${oldestBrowsers}, or a newer one`)
})

test('the price of a file is told as it is billed', () => {
  expect(answerTo('price')).toContain('Up to 2 min 1, up to 7 min 2, up to 15 min 3.')
  expect(answerTo('price')).toContain('20 min is 7, 45 min is 15, an hour is 20.')
})

test('what fits into an upload follows from its bits', () => {
  expect(fits(128_000)).toEqual({ hours: 1, minutes: 49 })
  expect(fits(64_000)).toEqual({ hours: 3, minutes: 38 })
  expect(fits(1_411_200).hours).toBe(0)
  expect(answerTo('how-long')).toContain('under 10 minutes')
})

test('promises that other pages make are made here in the same words', () => {
  expect(answerTo('roll-over')).toContain('Credits roll over: unused credits stay in your balance.')
  expect(answerTo('formats')).toContain('13 formats, up to 100MB')
  expect(answerTo('formats')).toContain(
    'MP4 may have limited compatibility: we read its first audio track; a protected or silent file cannot be read.',
  )
  expect(answerTo('free')).toContain('10 credits')
  expect(answerTo('video-links')).toContain('Not yet.')
})
