/** Rules for every journey in e2e/. */
import { expect, test } from 'vitest'

import config from '../playwright.config.ts'

test('an action of a journey that waits for 30 s fails, and names the thing it waited for', () => {
  expect(config.use).toMatchObject({ actionTimeout: 30_000, navigationTimeout: 30_000 })
})
