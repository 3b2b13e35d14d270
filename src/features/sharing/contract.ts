/**
 * Links to a transcription for people without an account: the choices of their owner, and the facts
 * that the owner is told. The page itself is HTML (page.ts); programs read `/s/TOKEN.json`, or
 * another format of exports.
 */
import { z } from 'zod'

import { cutChoices } from '#features/exports/formats.ts'

import { renderFormats } from '#shared/render-formats.ts'

import { SHORTEST_PASSWORD, shareIncludes } from './status.ts'

/**
 * The parts that a link shows besides the text. `recording` is the uploaded file, with its picture
 * where it has one; `sound` is the sound of a video alone. Both at once is `recording`. `captions` are those
 * of a made file.
 */
export const ShareIncludes = z.enum(shareIncludes)
export type ShareIncludes = z.infer<typeof ShareIncludes>

/** Days until a link ends; null for never. The page offers 1, 7, 30 and never. */
const Days = z.int().min(1).max(365).nullable()
const Cuts = z
  .enum(cutChoices)
  .describe(
    'Whether what is cut of the recording is left out, of the page, its files and what it plays. Cuts that are made later count too.',
  )
const SharePassword = z.string().min(SHORTEST_PASSWORD).max(200)

export const MakeShare = z.object({
  render: z
    .uuid()
    .optional()
    .describe(
      'A made file, which the link shows instead, and nothing beside it: with its captions where they are included. It ends with the file.',
    ),
  includes: z.array(ShareIncludes).max(5).default(['recording', 'summary', 'names']),
  cuts: Cuts.default('applied'),
  days: Days.default(7),
  password: SharePassword.optional(),
})
export type MakeShare = z.infer<typeof MakeShare>

/** A field that is left out stays; `days` counts from now; a null password takes it off. */
export const ChangeShare = z.object({
  includes: z.array(ShareIncludes).max(5).optional(),
  cuts: Cuts.optional(),
  days: Days.optional(),
  password: SharePassword.nullable().optional(),
})
export type ChangeShare = z.infer<typeof ChangeShare>

export const Share = z.object({
  id: z.uuid(),
  transcriptionId: z.uuid(),
  /** Name of the transcription. */
  name: z.string(),
  /** Null where this server cannot say it any more (its SECRET_KEY has changed). The link still works. */
  url: z.string().nullable(),
  includes: z.array(ShareIncludes),
  cuts: Cuts,
  render: z
    .object({ id: z.uuid(), format: z.enum(renderFormats) })
    .nullable()
    .describe('The made file that it shows; null for a link to the transcription.'),
  /**
   * The summary is wanted and the names are not, but a name could still be told from it. Then the
   * link shows no summary.
   */
  summaryLeftOut: z.boolean(),
  hasPassword: z.boolean(),
  /** Browsers that opened it, each once a day. */
  openings: z.int(),
  lastOpenedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  /** Null: it never ends by itself. */
  endsAt: z.iso.datetime().nullable(),
})
z.globalRegistry.add(Share, { id: 'Share' })
export type Share = z.infer<typeof Share>

/** Links that still open, newest first. */
export const Shares = z.object({ shares: z.array(Share) })
export type Shares = z.infer<typeof Shares>
