/** What a link includes as it is stored and chosen, for pages that load no schemas. */
export const shareIncludes = ['recording', 'sound', 'summary', 'names'] as const
type ShareIncludes = (typeof shareIncludes)[number]

export const SHORTEST_PASSWORD = 8

export interface LinkChoice {
  /** What is played of the recording. */
  played: 'picture' | 'sound' | 'none'
  summary: boolean
  names: boolean
}

const played = { picture: ['recording'], sound: ['sound'], none: [] } as const

export const includesOf = (choice: LinkChoice): ShareIncludes[] => [
  ...played[choice.played],
  ...(choice.summary ? (['summary'] as const) : []),
  ...(choice.names ? (['names'] as const) : []),
]

export const choiceOf = (includes: readonly ShareIncludes[]): LinkChoice => ({
  played: includes.includes('recording')
    ? 'picture'
    : includes.includes('sound')
      ? 'sound'
      : 'none',
  summary: includes.includes('summary'),
  names: includes.includes('names'),
})
