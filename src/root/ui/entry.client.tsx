// First: no key handler of a script that is loaded after it hears the keys of an input method.
import '#web/input-method.ts'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

import { App } from './app.tsx'
import { startServiceWorker } from '#web/start-service-worker.ts'

// The shell shows only that the page is coming, so nothing has to be hydrated.
const place = document.getElementById('app')
if (!place) throw new Error('the page has no place for the app')
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
startServiceWorker()
