/**
 * The parts that a link can include, as they are stored and as they are chosen, for pages without
 * schemas.
 */
export const shareIncludes = ['recording', 'sound', 'summary', 'names', 'captions'] as const
type ShareIncludes = (typeof shareIncludes)[number]

export const SHORTEST_PASSWORD = 8

export interface LinkChoice {
  /** The part of the recording that is played. */
  played: 'picture' | 'sound' | 'none'
  summary: boolean
  names: boolean
  /** Of a made file. */
  captions: boolean
}

const played = { picture: ['recording'], sound: ['sound'], none: [] } as const

export const includesOf = (choice: LinkChoice): ShareIncludes[] => [
  ...played[choice.played],
  ...(choice.summary ? (['summary'] as const) : []),
  ...(choice.names ? (['names'] as const) : []),
  ...(choice.captions ? (['captions'] as const) : []),
]

export const choiceOf = (includes: readonly ShareIncludes[]): LinkChoice => ({
  played: includes.includes('recording')
    ? 'picture'
    : includes.includes('sound')
      ? 'sound'
      : 'none',
  summary: includes.includes('summary'),
  names: includes.includes('names'),
  captions: includes.includes('captions'),
})
