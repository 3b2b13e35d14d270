/**
 * The capabilities of this server. The app asks for them as it starts, beside the question who is
 * signed in.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'

import { type Capability, getCapabilities, isOffered } from '#shared/capabilities.ts'

import { queryOf } from './api.ts'

export const capabilitiesQuery = queryOptions(queryOf(getCapabilities))

/** Answers whether the server can do something; no, until that is known. */
export function useCapabilities(): (capability: Capability) => boolean {
  const { data } = useQuery(capabilitiesQuery)
  return (capability) => data !== undefined && isOffered(data, capability)
}

/** Answers whether the server cannot do something; no, until that is known. */
export function useLacks(): (capability: Capability) => boolean {
  const { data } = useQuery(capabilitiesQuery)
  return (capability) => data !== undefined && !isOffered(data, capability)
}
