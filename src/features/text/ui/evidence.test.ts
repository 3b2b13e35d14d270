import { describe, expect, test } from 'vitest'

import { evidenceIn } from './evidence.ts'

describe('evidence for a key point', () => {
  const marked = (passage: string, quote: string | null) => {
    const found = evidenceIn(passage, quote)
    return found && passage.slice(...found)
  }

  test('is exactly the words it was taken from', () => {
    expect(
      marked(
        'They do, mostly. um the the part (I think) was it. So',
        'um the the part (I think) was it.',
      ),
    ).toBe('um the the part (I think) was it.')
    expect(marked('مرحبا بكم. العرض يبدأ غدا. شكرا', 'العرض يبدأ غدا.')).toBe('العرض يبدأ غدا.')
  })

  test('is nothing when the words stand elsewhere, or nobody knows where', () => {
    expect(marked('We fixed the email.', 'The mail was repaired.')).toBeNull()
    expect(marked('We fixed the email.', null)).toBeNull()
    expect(marked('We fixed the email.', '')).toBeNull()
  })
})
