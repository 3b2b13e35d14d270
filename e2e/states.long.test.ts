/**
 * Looks at every screen in every state, with made-up answers: little moves on the way there, each fits
 * the narrowest phone, no toast covers a dialog's head, and axe finds nothing wrong in either theme.
 */
import { setTimeout as sleep } from 'node:timers/promises'

import { type Browser, type Page, expect, test } from '@playwright/test'

import { LINK, answerWith } from './states/answers.ts'
import { type State, statesOf } from './states/list.ts'
import { drawn, expectAccessible, expectStill, watch } from './steps.ts'

/** How many pages run at once: while one waits, another is checked. Those of late answers mostly wait. */
const LANES = 2
const LATE_LANES = 5
/** A browser leaves out of its layout shift what moves within half a second of a press. */
const LATE_MS = 700

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

/** The screens on which a press moves nothing either. On the others a file, an editor or a notice takes its place. */
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
const movedByPress = /^settings|^video, (small|words)/
/** On the way to these something has to move, and why. */
const hasToMove: Readonly<Record<string, readonly string[]>> = {
  // Chosen files take the place of the empty panel; no press in the page comes before them.
  'what is chosen is drawn': [
    'a file chosen',
    'a file chosen, with a document',
    'a file chosen, its options open',
    'a bill of several files',
    'a bill of several files that is too high',
    'leaving while several files are sent',
    'several files that wait for their confirmation',
  ],
  'one sentence comes in place of five rows': ['newest broken'],
  'the reason stands below the button, and pushes what comes below that': [
    'a file refused',
    'recorder, the microphone silent',
    'recorder, the microphone gone',
    'summary, a key point not saved',
    'export, a file that cannot be made',
    'transcribing again for nothing, refused',
  ],
  'both versions stand below the turn that is typed, and push the next one': [
    'transcription, edited in two tabs',
    'transcription, edited without a connection',
  ],
  'what is found is drawn': ['settings found', 'settings, nothing found'],
  'the row comes back': ['library deleted, with undo'],
  'rows are higher than their places': ['library of hundreds, with many tags'],
  'lines open where a press has asked for them': ['a better recogniser on its way'],
  'only the server knows that there is one, and mostly there is none': [
    'translation, one is there and the model is gone',
  ],
  'another summary is of another length': ['summary that was written again'],
}
/** Their session does not begin again for a second look: they are seen on a phone, where more is pushed. */
const endsForGood = /^the session ended/
const moving = new Set(Object.values(hasToMove).flat())
const still = new Set(
  stillScreens
    .flatMap((screen) => statesOf[screen]!)
    .filter(({ name }) => !movedByPress.test(name)),
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

/** Every answer after a step comes late, so that all that it moves counts. */
async function goLate(page: Page, state: State, size: (typeof sizes)[number]): Promise<void> {
  await page.setViewportSize(size)
  await answerWith(page, state.answers)
  await page.goto(state.path)
  let underWay = 0
  await page.route('**/api/**', async (route) => {
    underWay += 1
    await sleep(LATE_MS)
    await route.fallback().catch(() => undefined)
    underWay -= 1
  })
  for (const step of state.steps) {
    await page.evaluate('globalThis.shifts = []')
    await step(page)
    await expect.poll(() => underWay, { intervals: [50] }).toBe(0)
    await drawn(page)
    await expectStill(page)
  }
}

async function lookLate(page: Page, state: State): Promise<void> {
  if (!endsForGood.test(state.name)) {
    await goLate(page, state, sizes[0])
    await leave(page)
  }
  await goLate(page, state, sizes[1])
}

/** Checks all states and answers what is wrong. After a failure the others are still checked. */
async function checkAll(
  browser: Browser,
  states: readonly State[],
  {
    check,
    lanes,
  }: { check: (page: Page, state: State, place: number) => Promise<void>; lanes: number },
): Promise<string[]> {
  const wrong: string[] = []
  const todo = states.map((state, place) => [state, place] as const)
  const lane = async () => {
    const context = await browser.newContext({ permissions: ['microphone'] })
    const page = await context.newPage()
    await page.addInitScript(watch)
    for (let next = todo.shift(); next; next = todo.shift()) {
      const [state, place] = next
      await check(page, state, place).catch((error: unknown) => {
        wrong.push(`${state.name}: ${String(error)}`)
      })
      await leave(page)
    }
    await context.close()
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return wrong
}

test('what has to move is a state', () => {
  const names = Object.values(statesOf).flatMap((states) => states.map(({ name }) => name))
  expect([...moving].filter((name) => !names.includes(name))).toEqual([])
})

for (const [screen, states] of Object.entries(statesOf)) {
  test(`${screen}: each state is accessible in both themes, and fits the narrowest phone`, async ({
    browser,
  }) => {
    expect(await checkAll(browser, states, { check: look, lanes: LANES })).toEqual([])
  })

  test(`${screen}: what comes late moves nothing`, async ({ browser }) => {
    test.slow()
    const others = states.filter((state) => !still.has(state) && !moving.has(state.name))
    expect(await checkAll(browser, others, { check: lookLate, lanes: LATE_LANES })).toEqual([])
  })
}
