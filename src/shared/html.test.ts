import { expect, test } from 'vitest'

import { escapeHtml } from './html.ts'

test('text leaves neither its element nor its quotes', () => {
  expect(escapeHtml(`"<b>O'Neil & Söhne</b>"`)).toBe(
    '&quot;&lt;b&gt;O&#39;Neil &amp; Söhne&lt;/b&gt;&quot;',
  )
})
