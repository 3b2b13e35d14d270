import { describe, expect, test } from 'vitest'

import { evidenceIn, resultsAsText, summaryAsText } from './as-text.ts'

const nothing = { summary: null, keyPoints: [], keyPointTimes: [], topics: [], summaryNote: null }

describe('a summary as text', () => {
  test('has the summary, key points with their place, and topics', () => {
    expect(
      summaryAsText({
        ...nothing,
        summary: 'The team looks back.\n',
        keyPoints: ['Retention recovered.', 'One link was broken.'],
        keyPointTimes: [14.2, null],
        topics: ['Retention'],
      }),
    ).toBe(
      'The team looks back.\n\nKey points\n- Retention recovered. (0:14)\n- One link was broken.\n\nTopics covered\n- Retention',
    )
  })

  test('is empty when there is none', () => {
    expect(summaryAsText(nothing)).toBe('')
  })

  test('is left out of what is shared when there is none', () => {
    expect(
      resultsAsText({ ...nothing, originalName: 'a.mp3', transcriptionText: 'Hello there.' }),
    ).toBe('a.mp3\n\nHello there.')
  })
})

describe('evidence for a key point', () => {
  const quote = (text: string, point: string) => {
    const found = evidenceIn(text, point)
    return found && text.slice(...found)
  }

  test('is the sentence it was taken from, however it is punctuated', () => {
    expect(
      quote(
        'They do, mostly. the part I did not expect, was it. Then we',
        'The part I did not expect was it',
      ),
    ).toBe('the part I did not expect, was it.')
  })

  test('is found in other scripts', () => {
    expect(quote('مرحبا بكم. العرض يبدأ غدا. شكرا', 'العرض يبدأ غدا.')).toBe('العرض يبدأ غدا.')
  })

  test('is nothing when the point uses other words or none', () => {
    expect(quote('We fixed the email.', 'The mail was repaired.')).toBeNull()
    expect(quote('the cat', 'he ca')).toBeNull()
    expect(quote('anything', '…')).toBeNull()
  })
})
