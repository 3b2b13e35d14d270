import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'

import { CreditPill } from './credit-pill.tsx'

const shown = (credits: number | undefined) =>
  renderToString(createElement(MemoryRouter, null, createElement(CreditPill, { credits })))

test('credits are counted in words, 0 when nothing is known of them', () => {
  expect(shown(1234)).toContain('1,234 credits')
  expect(shown(undefined)).toContain('>0 credits<')
})
