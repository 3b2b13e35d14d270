import { expect, test } from 'vitest'

import {
  forgotErrors,
  loginErrors,
  passwordHint,
  registerErrors,
  resetErrors,
} from './form-errors.ts'

test('a sign-in needs an address and a password', () => {
  expect(loginErrors({ email: 'ada', password: '' })).toEqual({
    email: 'Please enter a valid email address',
    password: 'Password is required',
  })
  expect(loginErrors({ email: ' ada@lovett.example ', password: 'x' })).toEqual({})
})

test('a new account needs names, an address and eight characters', () => {
  expect(
    registerErrors({ firstName: ' ', lastName: '', email: 'a@b', password: '1234567' }),
  ).toEqual({
    firstName: 'First name is required',
    lastName: 'Last name is required',
    email: 'Please enter a valid email address',
    password: 'Password must be at least 8 characters long',
  })
  expect(
    registerErrors({
      firstName: 'Ada',
      lastName: 'Lovett',
      email: 'ada@lovett.example',
      password: '12345678',
    }),
  ).toEqual({})
})

test('a password of eight emoji is eight characters long', () => {
  expect(resetErrors({ password: '🌲🌲🌲🌲🌲🌲🌲🌲' })).toEqual({})
  expect(resetErrors({ password: '🌲🌲🌲🌲' })).not.toEqual({})
})

test('a reset needs an address', () => {
  expect(forgotErrors({ email: '' })).toEqual({ email: 'Please enter a valid email address' })
})

test('the password hint counts until the rule is met', () => {
  expect(passwordHint('')).toBe('At least 8 characters')
  expect(passwordHint('12345')).toBe('At least 8 characters, 5 so far')
  expect(passwordHint('12345678')).toBe('At least 8 characters')
})
