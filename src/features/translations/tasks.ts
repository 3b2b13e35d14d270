/** Work of this room that grows with a transcript, and therefore runs in threads. */
import { type Tools, json } from '#server/threads.ts'

import * as translations from './translations.ts'

export const text = async (asked: Parameters<typeof translations.text>[1], { db }: Tools) =>
  json(await translations.text(db, asked))

export const source = (asked: Parameters<typeof translations.sourceOf>[1], { db }: Tools) =>
  translations.sourceOf(db, asked)
