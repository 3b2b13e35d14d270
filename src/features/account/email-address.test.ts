import { expect, test } from 'vitest'

import { isEmailAddress, keyOf, mailboxOf } from './email-address.ts'

test.each([
  'ada@example.com',
  'ada.lovett+quoth@mail.example.co.uk',
  "o'neil@example.com",
  'x_y-z@xn--mller-kva.example',
  'A1@1a.io',
  'jo@münchen.de',
  'ada@exämple.com',
  'jo@例え.jp',
])('%s is an address', (text) => {
  expect(isEmailAddress(text)).toBe(true)
})

test.each([
  '',
  'ada',
  '@example.com',
  'jö@example.com',
  'jo@ex\uff0eample.com',
  'jo@ﬁrma.de',
  'jo@exa\u200bmple.com',
  'ada@',
  'ada@example',
  'ada@@example.com',
  'ada@example.com@evil.example',
  'ada@evil.example,ada@example.com',
  'ada@example.com, ada@evil.example',
  'ada@evil.example;ada@example.com',
  'Ada <ada@example.com>',
  '<ada@example.com>',
  '"ada"@example.com',
  '"ada@evil.example"@example.com',
  '"ada@evil.example> x"@example.com',
  'ada(comment)@example.com',
  'ada@(comment)example.com',
  'ada@example.com(evil.example)',
  'group:ada@example.com;',
  'ada@[127.0.0.1]',
  'ada@[IPv6:::1]',
  'ada@127.0.0.1',
  'ada%evil.example@example.com',
  'evil.example!ada@example.com',
  '@evil.example:ada@example.com',
  'ada\\@example.com',
  'ada@example.com\r\nBcc: evil@evil.example',
  'ada@exam\r\n ple.com',
  'ada\n@example.com',
  'ada\t@example.com',
  'ada\0@example.com',
  'ada @example.com',
  ' ada@example.com',
  'ada@example.com ',
  'ada@ example.com',
  '.ada@example.com',
  'ada.@example.com',
  'ad..a@example.com',
  'ada@.example.com',
  'ada@example..com',
  'ada@example.com.',
  'ada@-example.com',
  'ada@example-.com',
  'ada@exa_mple.com',
  'ädä@example.com',
  'ada@example.com\u200b',
  'ada@example．com',
  'ada＠example.com',
  'ada@example.c\u043em',
  '=?utf-8?q?ada=40evil.example=2C?=@example.com',
  'ada@=?utf-8?q?evil?=.example',
  'mailto:ada@example.com',
  'ada@example.com?bcc=evil@evil.example',
  'ada@example.com/evil',
  'ada@example.com#x',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a'.repeat(64)}.com`,
  `ada@${'abcdefgh.'.repeat(28)}com`,
  'ada|x@example.com',
  'ada`x`@example.com',
])('%j is refused', (text) => {
  expect(isEmailAddress(text)).toBe(false)
})

test('a tag reaches the same mailbox everywhere', () => {
  expect(mailboxOf('Jo.Doe+two@Example.com')).toBe(mailboxOf('jo.doe@example.com'))
  expect(mailboxOf('jodoe@example.com')).not.toBe(mailboxOf('jodoe@example.org'))
})

test('dots tell people apart, but not at Gmail, whose two domains are one', () => {
  expect(mailboxOf('jo.doe@example.com')).not.toBe(mailboxOf('jodoe@example.com'))
  expect(mailboxOf('J.o.Doe+x@GMail.com')).toBe(mailboxOf('jodoe@googlemail.com'))
  expect(mailboxOf('jodoe@gmail.com')).not.toBe(mailboxOf('jodoe@mail.example'))
})

test('a domain with an umlaut is one address, in letters and as mail servers write it', () => {
  for (const text of [
    'jo@münchen.de',
    'Jo@MÜNCHEN.DE',
    'jo@mu\u0308nchen.de',
    'jo@xn--mnchen-3ya.de',
  ])
    expect(keyOf(text)).toBe('jo@xn--mnchen-3ya.de')
  expect(mailboxOf('jo+x@münchen.de')).toBe('jo@xn--mnchen-3ya.de')
})
