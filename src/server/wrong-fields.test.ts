import { expect, test } from 'vitest'
import { z } from 'zod'

import { inOurWords, type Part, wrongField } from './wrong-fields.ts'

const Body = z.object({
  ids: z.array(z.uuid()).max(2),
  days: z.int().min(1),
  format: z.enum(['txt', 'srt']),
  name: z.string().min(1).max(5),
  isOpen: z.boolean(),
  flag: z.union([z.boolean(), z.enum(['true', 'false'])]),
  speakers: z.string().refine((text) => text === 'auto', 'auto, or a number such as 2'),
  title: z.string('Please name it').optional(),
})
const good = {
  ids: [],
  days: 1,
  format: 'txt',
  name: 'a',
  isOpen: true,
  flag: true,
  speakers: 'auto',
}

function told(data: unknown, part: Part = 'body') {
  const { error } = Body.safeParse(data, { error: inOurWords(part) })
  const { message, field, status } = wrongField(error!.issues, part)
  return [field, message.replace(' Nothing was changed or charged.', ''), status]
}

test.for<[wrong: object, field: string, message: string]>([
  [{ ids: ['x'] }, 'ids.0', 'The field ids.0 takes a UUID.'],
  [{ ids: ['', '', ''] }, 'ids', 'The field ids takes at most 2 entries.'],
  [{ days: 0 }, 'days', 'The field days takes at least 1.'],
  [{ days: 1.5 }, 'days', 'The field days takes a whole number.'],
  [{ days: undefined }, 'days', 'The field days is missing: it takes a number.'],
  [{ format: 'pdf' }, 'format', 'The field format takes one of "txt", "srt".'],
  [{ name: 'abcdef' }, 'name', 'The field name takes at most 5 characters.'],
  [{ isOpen: 'yes' }, 'isOpen', 'The field isOpen takes true or false.'],
  [{ name: '' }, 'name', 'The field name takes at least 1 character.'],
  [{ flag: 7 }, 'flag', 'The field flag takes true or false or one of "true", "false".'],
  [{ speakers: 'many' }, 'speakers', 'The field speakers takes auto, or a number such as 2.'],
  // The words of a form are for people.
  [{ title: 7 }, 'title', 'Please name it'],
])('%j is refused by the name of its field, and with what it takes', ([wrong, field, message]) => {
  expect(told({ ...good, ...wrong })).toEqual([field, message, 400])
})

test('no body, and a wrong parameter of an address, are named as what they are', () => {
  expect(told([])).toEqual([undefined, 'The body takes an object of JSON.', 400])
  expect(told({ ...good, days: 0 }, 'querystring')).toEqual([
    'days',
    'The parameter days takes at least 1.',
    400,
  ])
})
