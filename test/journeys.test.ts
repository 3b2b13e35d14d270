/** What holds for every journey in e2e/. */
import { expect, test } from 'vitest'

import config from '../playwright.config.ts'

test('no action of a journey waits longer than 30 s before it says what it waited for', () => {
  expect(config.use).toMatchObject({ actionTimeout: 30_000, navigationTimeout: 30_000 })
})
