import { expect, test } from 'vitest'

import { networkOf } from './network.ts'

test('network addresses are told apart by the part that one visitor cannot choose', () => {
  expect(networkOf('::ffff:192.0.2.4')).toBe('192.0.2.4')
  expect(networkOf('2001:DB8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('2001:db8::ffff:1')).toBe(networkOf('2001:db8:0:0:9::2'))
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})
