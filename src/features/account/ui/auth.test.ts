import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'

import { useAuth } from './auth.tsx'

test('who is signed in is only known inside the provider', () => {
  const Stray = () => createElement('p', null, useAuth().state)
  expect(() => renderToString(createElement(Stray))).toThrow(
    'useAuth must be used within an AuthProvider',
  )
})
