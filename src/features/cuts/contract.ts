import { z } from 'zod'

import { clipCaptions, clipShapes } from '#shared/clips.ts'
import { renderFormats } from '#shared/render-formats.ts'

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
  act: z
    .string()
    .nullable()
    .describe('Names the last change, for who undoes no other; null where there is none.'),
  files: z.int().describe('How many files without cuts are there, or being made.'),
})
z.globalRegistry.add(Cuts, { id: 'Cuts' })
export type Cuts = z.infer<typeof Cuts>

export const UndoCuts = z.object({
  act: z
    .string()
    .max(40)
    .optional()
    .describe('The change to undo, as `act` names it: refused where another one came after it.'),
})

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

export const RenderFormat = z.enum(renderFormats)
export type RenderFormat = z.infer<typeof RenderFormat>

const share = z.number().min(0).max(1)

/** A short stretch of a recording as a file of its own. */
const OrderedClip = z
  .object({
    start: z.number().min(0).describe('In seconds of the recording.'),
    end: z.number().min(0).describe('In seconds; at most three minutes may remain of it.'),
    shape: z
      .enum(clipShapes)
      .default('upright')
      .describe('1080x1920, 1080x1080 or 1920x1080, or `sound` without a picture.'),
    captions: z
      .enum(clipCaptions)
      .default('words')
      .describe('`words` marks the word that is said, `lines` marks none.'),
    names: z.boolean().default(true).describe('Whether it shows who speaks.'),
    centre: z
      .object({ x: share, y: share })
      .default({ x: 0.5, y: 0.5 })
      .describe('The place of a film that is in the middle, as shares of its width and height.'),
  })
  .refine(({ start, end }) => end > start, 'it ends before it begins')
export type OrderedClip = z.infer<typeof OrderedClip>

/** A file that is made of a recording without its cuts. */
export const Render = z.object({
  id: z.uuid(),
  transcriptionId: z.uuid(),
  format: RenderFormat,
  status: z.enum(['making', 'made', 'failed']),
  progress: z.int().describe('How much of it is done, in percent.'),
  ahead: z
    .int()
    .describe('How many files of this server are made before it; 0 once it is being made.'),
  name: z.string().describe('The name of the file.'),
  clip: z
    .object({
      start: z.number(),
      end: z.number(),
      shape: z.enum(clipShapes),
      captions: z.enum(clipCaptions),
      names: z.boolean(),
      centre: z.object({ x: z.number(), y: z.number() }),
    })
    .nullable()
    .describe('The stretch that it is made of, as it was ordered; null for the whole recording.'),
  duration: z.number().describe('How long it is, in seconds.'),
  sizeBytes: z.int().nullable().describe('Null before it is there.'),
  problem: z.string().nullable().describe('Why it could not be made, where that is known.'),
  isAsCut: z.boolean().describe('Whether the cuts are still those that it was made with.'),
  isAsWritten: z
    .boolean()
    .describe('Of a clip: whether it shows the words and names as they are now. Else true.'),
  createdAt: z.iso.datetime(),
  keptUntil: z.iso.datetime().nullable().describe('Until when the file is there.'),
})
z.globalRegistry.add(Render, { id: 'Render' })
export type Render = z.infer<typeof Render>

export const OrderRender = z.object({
  format: RenderFormat.optional().describe(
    'By default the kind of file that was uploaded, where it can be written, else m4a; mp4 for a film. A clip with a picture is always mp4.',
  ),
  clip: OrderedClip.optional().describe('A short stretch instead of the whole recording.'),
})

export const Renders = z.object({
  renders: z.array(Render).describe('The newest first.'),
  secondsLeft: z
    .int()
    .describe('Of how many seconds of recordings files can still be made within 24 hours.'),
  /** The format that is written by default. */
  usual: RenderFormat,
})
z.globalRegistry.add(Renders, { id: 'Renders' })
export type Renders = z.infer<typeof Renders>
