/** What is given away from the page: without what is hidden for others, and without what is cut. */
import type { Cuts } from '#features/cuts/contract.ts'
import { turnsForOthers } from '#features/text/ui/turns-for-others.ts'
import type { Veil } from '#shared/bars.ts'
import { veilsInUse } from '#web/for-others.ts'

import { openAsCut } from './open-as-cut.ts'
import type { Open } from './text-of.ts'

/** A name that is cut in the middle is hidden before. */
export const openAsGiven = (open: Open, cuts: Cuts | undefined): Open =>
  openAsCut(veilsInUse().reduce(openForOthers, open), cuts)

const HIDDEN = 'The summary is hidden as a whole: names might be left in it.'

/** Of what has no times, only that which is hidden as a whole: see `forOthers` for the rest. */
export function openForOthers(open: Open, veil: Veil): Open {
  const { summary, keyPoints, topics, summaryLanguage, actionItems } = open.transcription
  const isHidden = veil.isUnsure(
    [summary ?? '', ...keyPoints, ...topics].join(' '),
    summaryLanguage === 'auto' ? null : summaryLanguage,
  )
  return {
    words: {
      speakers: open.words.speakers.map((one) =>
        one.name !== null && veil.barsIn(one.name).length > 0 ? { ...one, name: null } : one,
      ),
      turns: [...turnsForOthers(open.words.turns, veil)],
    },
    transcription: {
      ...open.transcription,
      ...(isHidden && {
        summary: null,
        keyPoints: [],
        topics: [],
        actionItems: actionItems.filter(({ isOwn }) => isOwn),
        summaryNote: HIDDEN,
      }),
    },
  }
}
