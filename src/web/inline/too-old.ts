// Runs in the head of the app's shell. In a browser that is too old the app would not begin, or break
// here and there without a word. So the page says it, in code that such a browser can read.
import { oldestBrowsers } from '#shared/browsers.ts'

import { sayAbove } from './say-above.ts'

if (!('popover' in HTMLElement.prototype))
  sayAbove(`This browser is too old. Please use ${oldestBrowsers}, or a newer one.`)
