import { queryOptions } from '@tanstack/react-query'

import { queryOf } from '#web/api.ts'

import { getCuts } from '../calls.ts'

/** The cuts of a recording, as they are now. */
export const cutsQuery = (id: string) => queryOptions(queryOf(getCuts, { params: { id } }))
