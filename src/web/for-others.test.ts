import { expect, test } from 'vitest'

import { BAR } from '#shared/hidden-words.ts'
import { veilOf } from '#shared/veil.ts'

import { forOthers, hideWhatLeaves } from './for-others.ts'

test('while a recording is open, what leaves the page is without what is hidden in it', () => {
  const end = hideWhatLeaves(veilOf([{ words: ['Hale'], mark: 'bar' }], 'en'))
  const also = hideWhatLeaves(veilOf([{ words: ['Joan'], mark: 'name' }], 'en'))
  expect(forOthers('Ask Joan Hale.')).toBe(`Ask [name] ${BAR}.`)
  also()
  expect(forOthers({ plain: 'Ask Joan.', html: '<p>Ask Joan.</p>' })).toEqual({
    plain: 'Ask Joan.',
    html: '<p>Ask Joan.</p>',
  })
  end()
  expect(forOthers('Ask Joan Hale.')).toBe('Ask Joan Hale.')
})
