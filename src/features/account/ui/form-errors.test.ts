import { expect, test } from 'vitest'

import {
  emailError,
  missing,
  newPasswordError,
  passwordError,
  passwordHint,
} from './form-errors.ts'

test('a field with surely no address and an empty field are told of', () => {
  expect(emailError('  ada@example.com ')).toBe(undefined)
  expect(emailError('ada@example')).toBe('Please enter a valid email address')
  expect(passwordError('')).toBe('Password is required')
  expect(passwordError(' ')).toBe(undefined)
  expect(missing('Say why.')('  ')).toBe('Say why.')
})

test('a password of eight emoji is eight characters long', () => {
  expect(newPasswordError('🦉🦉🦉🦉🦉🦉🦉🦉')).toBe(undefined)
  expect(newPasswordError('🦉🦉🦉🦉🦉🦉🦉')).toBe('Password must be at least 8 characters long')
})

test('the password hint counts until the rule is met', () => {
  expect(passwordHint('')).toBe('At least 8 characters')
  expect(passwordHint('12345')).toBe('At least 8 characters, 5 so far')
  expect(passwordHint('12345678')).toBe('At least 8 characters')
})
