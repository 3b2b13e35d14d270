import { z } from 'zod'

/** How many stretches one act may name. */
export const MOST_IN_AN_ACT = 5_000
/** How many cuts a recording may have. */
export const MOST_CUTS = 5_000

export const CutRange = z
  .object({
    start: z.number().min(0).describe('In seconds of the recording.'),
    end: z.number().min(0).describe('In seconds; not before `start`.'),
  })
  .refine(({ start, end }) => end >= start, 'it ends before it begins')
export type CutRange = z.infer<typeof CutRange>

export const Cuts = z.object({
  cuts: z
    .array(z.object({ start: z.number(), end: z.number() }))
    .describe('The stretches that are out, in order and apart, in seconds of the recording.'),
  remaining: z.number().describe('How long the recording is without them, in seconds.'),
  canUndo: z.boolean().describe('Whether the last change can be undone.'),
})
z.globalRegistry.add(Cuts, { id: 'Cuts' })
export type Cuts = z.infer<typeof Cuts>

export const ChangeCuts = z.object({
  cut: z
    .array(CutRange)
    .max(MOST_IN_AN_ACT)
    .default([])
    .describe('Stretches to take out, in any order.'),
  restore: z
    .array(CutRange)
    .max(MOST_IN_AN_ACT)
    .default([])
    .describe('Stretches to put back first.'),
})
