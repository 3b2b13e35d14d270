/** The product's own sample recording, as the public pages quote it: what is said, when, by whom. */
export const sample = { name: 'sample.m4a', seconds: 71, speakers: ['Ada', 'Ben'] } as const

/** Start and length of each turn in seconds, taken from the recording; Ada begins, then in turns. */
export const sampleTurns = [
  [0.3, 6],
  [6.9, 6],
  [13.4, 4.7],
  [18.8, 4.3],
  [23.6, 6.1],
  [30.1, 6.5],
  [37.3, 4.8],
  [42.7, 5.2],
  [48.5, 5.2],
  [54.1, 6.3],
  [61.1, 6.3],
  [67.9, 3.4],
].map(([start = 0, length = 0], index) => ({ start, length, speaker: index % 2 }))

export const sampleSpeakerAt = (seconds: number): number | null =>
  sampleTurns.findLast(({ start }) => start <= seconds)?.speaker ?? null
