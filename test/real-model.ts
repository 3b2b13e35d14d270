/**
 * The real recogniser, where set-up put it. It is for tests of things that no small model made by
 * hand can show, such as whole sentences and doubt. Without it they are skipped, except in CI.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { FIRST_MODEL } from '#features/models/catalogue.ts'
import { chosen, type Recogniser, SET_UP_MODELS } from '#features/models/models.ts'

export const hasRealModel = existsSync(join(SET_UP_MODELS, FIRST_MODEL, 'model.json'))

if (!hasRealModel && process.env['CI'] === 'true')
  throw new Error(`${FIRST_MODEL} is missing in ${SET_UP_MODELS}, where the set-up puts it.`)

export async function realModel(): Promise<Recogniser> {
  const { recogniser } = await chosen(SET_UP_MODELS)
  if (!recogniser) throw new Error(`There is no recogniser in ${SET_UP_MODELS}.`)
  return recogniser
}
