import { describe, expect, test } from 'vitest'

import { articleSlugs } from '#web/paths.ts'

import { articles, readingTimes, wordsOf } from './articles.ts'

test('there is an article for every address, the newest first', () => {
  expect(articles.map(({ slug }) => slug).toSorted()).toEqual([...articleSlugs].toSorted())
  const dates = articles.map(({ published }) => published)
  expect(dates).toEqual(dates.toSorted().toReversed())
})

describe.each(articles)('$slug', (article) => {
  test('has 900 to 1,700 words, and can be read in the time it states', () => {
    const words = wordsOf(article)
    expect(words).toBeGreaterThanOrEqual(900)
    expect(words).toBeLessThanOrEqual(1700)
    const perMinute = words / article.readMinutes
    expect(perMinute).toBeGreaterThan(150)
    expect(perMinute).toBeLessThan(240)
  })

  test('shows times that begin at zero, grow, and stay within the reading time', () => {
    const times = readingTimes(article)
    expect(times[0]).toBe(0)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeLessThan(article.readMinutes * 60)
  })

  test('gives every section an address of its own', () => {
    const ids = article.sections.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('leads to two others', () => {
    expect(new Set([article.slug, ...article.related]).size).toBe(3)
  })
})
