import { expect, test } from 'vitest'

import { escapeHtml, unescapeHtml } from './html.ts'

test('text leaves neither its element nor its quotes', () => {
  expect(escapeHtml(`"<b>O'Neil & Söhne</b>"`)).toBe(
    '&quot;&lt;b&gt;O&#39;Neil &amp; Söhne&lt;/b&gt;&quot;',
  )
})

test('escaped characters are read again, and none twice', () => {
  const text = `"<b>O'Neil &amp; Söhne</b>"`
  expect(unescapeHtml(escapeHtml(text))).toBe(text)
  expect(unescapeHtml('it&#x27;s &nbsp;')).toBe("it's &nbsp;")
})
