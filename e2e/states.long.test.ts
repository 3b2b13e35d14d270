/**
 * Looks at every screen in every state, with made-up answers: on most, nothing moves on the way
 * there; each fits the narrowest phone, no toast covers a dialog's head, and axe finds nothing wrong in either theme.
 */
import { type Browser, type Page, expect, test } from '@playwright/test'

import { LINK, answerWith } from './states/answers.ts'
import { type State, statesOf } from './states/list.ts'
import { drawn, expectAccessible, expectStill, watch } from './steps.ts'

/** How many pages run at once: while one waits, another is checked. */
const LANES = 2

/** How far the page is too wide, and whether a toast lies over the head of the newest dialog. */
const faults = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  const head = [...document.querySelectorAll('[role=dialog] h2, [role=alertdialog] h2')].at(-1)
  const [covered, toast] = [head, document.querySelector('li[data-state=open]')].map((each) =>
    each?.getBoundingClientRect())
  return {
    pixelsThatStickOut: Math.max(0, scrollWidth - clientWidth),
    isHeadCovered: Boolean(
      covered && toast && covered.top < toast.bottom && toast.top < covered.bottom),
  }
})()`

/**
 * Half of the states are seen in a wide window, the others on a phone, those of still screens in both;
 * all on the narrowest one.
 */
const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const

/** The screens on which nothing moves. On the others a file, an editor or a notice takes its place. */
const stillScreens = [
  'signing in',
  'a video',
  'questions and answers',
  'a result, given away',
  'a shared page',
  'buying credits',
  'the account',
  'operating it',
]
/** Searches and filters of settings change the page; the browser draws captions, and then moves them. */
const moving = /^settings|^video, (small|words)/
const still = new Set(
  stillScreens.flatMap((screen) => statesOf[screen]!).filter(({ name }) => !moving.test(name)),
)

async function go(page: Page, state: State, size: (typeof sizes)[number]): Promise<void> {
  await page.setViewportSize(size)
  await answerWith(page, state.answers)
  await page.goto(state.path)
  const forget = () => page.evaluate('globalThis.pushed = []')
  if (state.path === LINK) {
    // The server has written its text, which can be there before its fonts.
    await page.evaluate('document.fonts.ready')
    await drawn(page)
    await forget()
  }
  for (const step of state.steps) {
    await step(page)
    if (!still.has(state)) continue
    await drawn(page)
    await expectStill(page, 'pushed')
    await forget()
  }
}

async function look(page: Page, state: State, place: number): Promise<void> {
  const [usual, other] = place % 2 === 0 ? sizes : ([sizes[1], sizes[0]] as const)
  if (still.has(state)) {
    await go(page, state, other)
    await leave(page)
  }
  await go(page, state, usual)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 700 })
  // Some parts measure their place before they fit themselves into it.
  await expect
    .poll(() => page.evaluate(faults), 'at 320')
    .toEqual({ pixelsThatStickOut: 0, isHeadCovered: false })
}

/** Clears what a state has stored, and stops its requests, before the next state. */
async function leave(page: Page): Promise<void> {
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

/** Checks all states and answers what is wrong. After a failure the others are still checked. */
async function lookAtAll(browser: Browser, states: readonly State[]): Promise<string[]> {
  const wrong: string[] = []
  const todo = states.map((state, place) => [state, place] as const)
  const lane = async () => {
    const context = await browser.newContext({ permissions: ['microphone'] })
    const page = await context.newPage()
    await page.addInitScript(watch)
    for (let next = todo.shift(); next; next = todo.shift()) {
      const [state, place] = next
      await look(page, state, place).catch((error: unknown) => {
        wrong.push(`${state.name}: ${String(error)}`)
      })
      await leave(page)
    }
    await context.close()
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return wrong
}

for (const [screen, states] of Object.entries(statesOf))
  test(`${screen}: each state is accessible in both themes, and fits the narrowest phone`, async ({
    browser,
  }) => {
    expect(await lookAtAll(browser, states)).toEqual([])
  })
