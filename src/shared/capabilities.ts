/**
 * The capabilities of a server. Pages, plans, forms and calls promise nothing that this does not name:
 * otherwise a user would find out only after paying.
 *
 * Promise: nothing is offered, sold or promised that this server cannot do (recordings/engines.ts,
 * test/promises.test.ts, decision 053).
 */
import { call } from './call.ts'

export interface Capabilities {
  languages: string[] | null
  summaryLanguages: string[]
  documentsByModel: boolean
  translations: boolean
  googleDocs: boolean
  googleSignIn: boolean
  doubt: boolean
  terms: boolean
  voices: boolean
  recorder: boolean
}

/** Not in `calls.ts` of a room, because `src/web/` asks it too. */
export const getCapabilities = call('GET', '/api/capabilities').carries<{ answer: Capabilities }>()

/**
 * The capabilities that a page can depend on; languages that are recognised are listed and not
 * promised.
 */
export type Capability = Exclude<keyof Capabilities, 'languages'>

export function isOffered(can: Capabilities, capability: Capability): boolean {
  return capability === 'summaryLanguages' ? can.summaryLanguages.length > 1 : can[capability]
}
