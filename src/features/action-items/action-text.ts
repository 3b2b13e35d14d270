/** Action items as text: what is copied, exported, shared and put into a calendar is written here. */
import { formatDate, formatTime } from '#shared/format.ts'

import type { ActionItem } from './contract.ts'

export type Told = Pick<ActionItem, 'text' | 'who' | 'due' | 'dueDate' | 'at' | 'isDone'>
type Kind = Pick<ActionItem, 'isSentence' | 'isOwn'>

const SENTENCES = 'Sentences that promise or ask for something'

/** Says what they are where a reader might take sentences for more. */
export const actionsHeading = (items: readonly Kind[]): string =>
  areSentences(items) ? `Action items: ${SENTENCES.toLowerCase()}` : 'Action items'

/** What stands under the heading, where no model wrote them. */
export const actionsNote = (items: readonly Kind[]): string | null =>
  areSentences(items) ? `${SENTENCES}.` : null

const areSentences = (items: readonly Kind[]): boolean => {
  const found = items.filter(({ isOwn }) => !isOwn)
  return found.length > 0 && found.every(({ isSentence }) => isSentence)
}

/** "by Friday, Nov 27, 2026": by when, as it was said, and the day, as far as they are known. */
export function dueInWords({ text, due, dueDate }: Pick<Told, 'text' | 'due' | 'dueDate'>): string {
  // A sentence says itself by when.
  const said = due !== null && !text.includes(due) ? due : null
  const day = dueDate === null ? null : formatDate(new Date(`${dueDate}T00:00:00Z`), 'UTC')
  return [said, day].filter(Boolean).join(', ')
}

/** "Ada: send the list (by Friday, 0:41)" */
export function actionLine(item: Omit<Told, 'isDone'>): string {
  const { text, who, at } = item
  const about = [dueInWords(item), at === null ? '' : formatTime(at)].filter(Boolean)
  return `${who === null ? '' : `${who}: `}${text}${about.length > 0 ? ` (${about.join(', ')})` : ''}`
}

/** "- [ ] Ada: send the list (by Friday, 0:41)": what programs for notes and tasks read. */
export const taskLine = (item: Told): string => `- [${item.isDone ? 'x' : ' '}] ${actionLine(item)}`

/** Open ones first, in their order; what is ticked comes last. */
export const openFirst = <Item extends Pick<ActionItem, 'isDone'>>(
  items: readonly Item[],
): Item[] => [...items.filter(({ isDone }) => !isDone), ...items.filter(({ isDone }) => isDone)]
