/** The offer to transcribe again, and the decisions that the last time left. */
import { queryOptions } from '@tanstack/react-query'

import { addressOf } from '#shared/call.ts'
import { queryOf } from '#web/api.ts'

import { getAgain } from '../calls.ts'

export const againKey = (id: string) => [addressOf(getAgain, { params: { id } })] as const

export const againQuery = (id: string) =>
  queryOptions({
    ...queryOf(getAgain, { params: { id } }),
    // Corrections are made meanwhile, and other dialogs spend credits.
    staleTime: 0,
    refetchOnWindowFocus: true,
  })
