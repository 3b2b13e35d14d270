/** Takes words out of what somebody is to do. */
import type { KeptAction } from '#features/row/kept.ts'
import type { Row } from '#features/row/row.ts'
import { speakersWithout } from '#features/text/hidden.ts'
import type { Hiding } from '#shared/hidden-words.ts'

/** What a row says of it to others. Where a name may be left in another form, what a model has found goes. */
export function veiled<Spoken extends Pick<Row, 'actionItems' | 'speakers' | 'summaryLanguage'>>(
  row: Spoken,
  { hide, hitsIn, isUnsure }: Hiding,
): Spoken {
  const { actionItems, summaryLanguage } = row
  const items = (actionItems ?? []).map((item) => itemWithout(item, hide))
  const language = summaryLanguage === 'auto' ? null : summaryLanguage
  const isWhole = isUnsure((actionItems ?? []).map(({ text }) => text).join(' '), language)
  return {
    ...row,
    actionItems: isWhole ? items.filter(({ isOwn }) => isOwn) : items,
    speakers: speakersWithout(row, hitsIn),
  }
}

export function itemWithout(item: KeptAction, hide: Hiding['hide']): KeptAction {
  const orNull = (text: string | null) => (text === null ? null : hide(text))
  const due = orNull(item.due)
  return {
    ...item,
    text: hide(item.text),
    who: orNull(item.who),
    quote: orNull(item.quote),
    due,
    // The day that was hidden.
    dueDate: due === item.due ? item.dueDate : null,
  }
}
