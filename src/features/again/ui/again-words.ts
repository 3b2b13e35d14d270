/** The words about a text that was transcribed again. Pure. */
import type { Again, LikelyName, LostCorrection } from '#features/text/contract.ts'

export type Carried = NonNullable<Again['carried']>
export type Decision = LostCorrection['decision']

export const isOpen = ({ decision }: { decision: Decision }): boolean => decision === 'open'
export const lostIn = ({ questions }: Pick<Carried, 'questions'>): LostCorrection[] =>
  questions.filter((question) => question.kind === 'text')
export const namesIn = ({ questions }: Pick<Carried, 'questions'>): LikelyName[] =>
  questions.filter((question) => question.kind === 'name')

export function titleOf(carried: Carried): string {
  const open = lostIn(carried).filter(isOpen).length
  if (open > 1) return `${open.toLocaleString('en-US')} corrections need you`
  if (open === 1) return '1 correction needs you'
  const names = namesIn(carried).filter(isOpen).length
  if (names > 0) return names === 1 ? '1 speaker needs you' : `${names} speakers need you`
  return lostIn(carried).length > 0 ? 'All corrections are placed.' : 'Nothing is left to decide.'
}

export function leadOf(carried: Carried): string {
  const lost = lostIn(carried).length
  if (lost === 0)
    return namesIn(carried).length === 1
      ? 'One voice sounds like somebody who had a name before.'
      : 'Some voices sound like somebody who had a name before.'
  const all = carried.placed + lost
  const here =
    carried.placed === 0
      ? 'The new text is here.'
      : `The new text is here, and ${carried.placed.toLocaleString('en-US')} of your ${all.toLocaleString('en-US')} corrections are in it.`
  return lost === 1
    ? `${here} This one could not be placed, because the words around it have changed.`
    : `${here} These ${inWords(lost)} could not be placed, because the words around them have changed.`
}

/** "All 14 corrections are in it" */
export const allIn = (corrections: number): string =>
  corrections === 1
    ? 'Your correction is in it'
    : `All ${corrections.toLocaleString('en-US')} corrections are in it`

const small = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

const inWords = (count: number): string => small[count - 2] ?? count.toLocaleString('en-US')

/** "Last time 2 were found."; nothing where voices were not told apart. */
export const foundBefore = (speakers: number): string | undefined =>
  speakers === 0 ? undefined : `Last time ${speakers} ${speakers === 1 ? 'was' : 'were'} found.`
