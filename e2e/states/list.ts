/** Reads states.txt: every state of every screen, as what is answered there and what leads to it. */
import { readFileSync } from 'node:fs'

import { type Page, expect } from '@playwright/test'

import { type RefusalCode, refusals } from '../../src/shared/refusals.ts'
import { type Answers, LINK, away, broken, id, never, refuse } from './answers.ts'
import { type Step, type Way, says, ways, waysWithWords } from './ways.ts'

export interface State {
  name: string
  path: string
  answers: Answers
  /** What a user does to get there, and what shows that it is there. */
  steps: Step[]
}

type Role = Parameters<Page['getByRole']>[0]

/** `{10}` is the id of that number, and `{code}` the sentence of that refusal. */
const filled = (text: string) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    /^\d+$/.test(name) ? id(Number(name)) : refusals[name as RefusalCode][1],
  )

/** `/Words/` is a pattern; everything else is a text. */
function named(text: string): string | RegExp {
  const pattern = /^\/(.+)\/$/.exec(text)?.[1]
  return pattern ? new RegExp(pattern) : filled(text)
}

/** The first part of this role; a name that is a text is its whole name. */
function part(page: Page, role: string, words: string) {
  const name = named(words)
  return page
    .getByRole(role as Role, words ? { name, exact: typeof name === 'string' } : {})
    .first()
}

/** The names of ways that some state takes. */
export const usedWays = new Set<string>()

const verbs: Record<string, (first: string, rest: string, all: string) => Step> = {
  press: (_, __, all) => (page) => part(page, 'button', all).click(),
  click: (role, name) => (page) => part(page, role, name).click(),
  check: (role, name) => (page) => part(page, role, name).check(),
  shown: (role, name) => (page) => expect(part(page, role, name)).toBeVisible(),
  there: (_, __, selector) => (page) => expect(page.locator(selector).first()).toBeVisible(),
  see: (_, __, all) => (page) => says(page, named(all)),
  fill: (_, __, all) => {
    const [label = '', words = ''] = all.split(' = ')
    return (page) => page.getByLabel(label, { exact: true }).filter({ visible: true }).fill(words)
  },
}

/** How a call is answered: `GET /api/user never`. */
function answered(words: string): Answers | undefined {
  const [, call, how, code] = /^([A-Z]+ \S+) (never|broken|away|refused (\w+))$/.exec(words) ?? []
  if (!call || !how || (code && !(code in refusals))) return undefined
  const answer = code ? refuse(code as RefusalCode) : { never, broken, away }[how]
  return { [filled(call).replace('LINK', LINK)]: answer ?? never }
}

function wayOf(words: string): (Answers | Step)[] {
  const [, verb = '', all = '', first = '', rest = ''] = /^(\w+) ((\S+) ?(.*))$/.exec(words) ?? []
  const way =
    (ways as Record<string, Way>)[words] ??
    answered(words) ??
    withWords(words) ??
    verbs[verb]?.(first, rest, all)
  if (!way) throw new Error(`states.txt names “${words}”, which is no way in ways.ts`)
  usedWays.add(words.split(' = ', 1)[0] ?? '')
  return Array.isArray(way) ? way : [way]
}

function withWords(words: string): Way | undefined {
  const at = words.indexOf(' = ')
  return at < 0 ? undefined : waysWithWords[words.slice(0, at)]?.(filled(words.slice(at + 3)))
}

/** What is seen there is a step, or else words. */
function seenOf(words: string): (Answers | Step)[] {
  const isStep = words in ways || /^(shown|there) \S/.test(words) || withWords(words)
  return isStep ? wayOf(words) : wayOf(`see ${words}`)
}

const isAStep = (each: Answers | Step): each is Step => typeof each === 'function'

function stateOf(line: string): State {
  const [name = '', path = '', how = '', seen = '', ...more] = line.split(' | ')
  if (!seen || more.length > 0) throw new Error(`states.txt has no four columns in “${line}”`)
  const stepsIn = (steps: string) =>
    steps
      .split(' > ')
      .filter((words) => words !== '-')
      .map((words) => words.replace(/^own(?=$|, )/, name))
  const parts = [...stepsIn(how).flatMap(wayOf), ...stepsIn(seen).flatMap(seenOf)]
  return {
    name,
    path: path === 'LINK' ? LINK : filled(path),
    answers: Object.assign({}, ...parts.filter((each) => !isAStep(each))),
    steps: parts.filter(isAStep),
  }
}

const [, ...screens] = readFileSync(new URL('states.txt', import.meta.url), 'utf8').split('\n## ')

/** By the name of the screen. */
export const statesOf: Record<string, State[]> = Object.fromEntries(
  screens.map((screen) => {
    const [title = '', ...lines] = screen.split('\n').filter(Boolean)
    return [title, lines.map(stateOf)]
  }),
)
