import { expect, test } from 'vitest'

import { welcomeOf } from './welcome.ts'

test('only who is signed in is told that the account is ready', () => {
  expect(welcomeOf('loading')).toBeNull()
  expect(welcomeOf('signed-out')).toEqual({ title: 'Welcome to Quoth!', goesAlong: true })
  expect(welcomeOf('signed-in')).toMatchObject({ description: 'Your account is ready.' })
})
