/** Frames a second as editing programs name them; `df` is drop-frame time code. */
export const frameRates = [
  '23.976',
  '24',
  '25',
  '29.97',
  '29.97df',
  '30',
  '50',
  '59.94',
  '59.94df',
  '60',
] as const
export type FrameRate = (typeof frameRates)[number]
