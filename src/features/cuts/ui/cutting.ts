/**
 * Cuts a recording, and puts back. An act is shown at once and sent when the one before it was answered;
 * one that fails is taken back, and those after it stay.
 */
import type { QueryClient } from '@tanstack/react-query'

import type { OtherStep, OtherSteps } from '#features/text/ui/undo-steps.ts'
import { formatTime } from '#shared/format.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { changeCuts, undoCuts } from '../calls.ts'
import type { Cuts } from '../contract.ts'
import { type Range, inSeconds, lengthOf } from '../ranges.ts'
import { type Change, changed } from './cut-words.ts'
import { cutsQuery } from './queries.ts'

export type Cutting = ReturnType<typeof createCutting>

export function createCutting(
  client: QueryClient,
  { id, steps, say }: { id: string; steps: OtherSteps; say: (sentence: string) => void },
) {
  const { queryKey } = cutsQuery(id)
  const now = (): Cuts | undefined => client.getQueryData(queryKey)
  let stored: Cuts | undefined
  /** Acts that are shown already and not answered yet. */
  let waiting: Change[] = []
  let line: Promise<unknown> = Promise.resolve()
  const inOrder = <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    const done = line.then(work)
    line = done
    return done
  }
  const show = () => {
    // An answer that is on its way would show the cuts as they were.
    void client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, stored && waiting.reduce(withChange, stored))
  }
  /** The acts of this page that are not taken back, the last one last. */
  let acts: OtherStep[] = []

  const send = (change: Change): Promise<boolean> => {
    if (waiting.length === 0) stored = now()
    waiting.push(change)
    const before = now()
    show()
    say(saidOf(before, now()))
    return inOrder(async () => {
      const isEnded = (answer?: Cuts) => {
        waiting = waiting.filter((each) => each !== change)
        if (answer) stored = answer
        show()
        // The answer alone may have been lost.
        if (!answer && waiting.length === 0) void client.invalidateQueries({ queryKey })
        return answer !== undefined
      }
      try {
        const body = { cut: inSeconds(change.cut), restore: inSeconds(change.restore) }
        return isEnded(await ask(changeCuts, { params: { id }, body }))
      } catch (error) {
        toast({
          title:
            change.cut.length > 0
              ? 'Not saved. The words are back.'
              : 'Not saved. Your change was undone.',
          description: sentenceOf(error),
          variant: 'destructive',
          action: { label: 'Try again', onPress: () => act(change) },
        })
        return isEnded()
      }
    })
  }
  const undoLast = (): Promise<boolean> =>
    inOrder(async () => {
      try {
        const before = now()
        // No other than the one that this page shows: another tab may have cut meanwhile.
        const query = before?.act ? { act: before.act } : {}
        stored = await ask(undoCuts, { params: { id }, query })
        show()
        say(saidOf(before, now()))
        return true
      } catch (error) {
        toastFailure('Could not undo', sentenceOf(error))
        void client.invalidateQueries({ queryKey })
        return false
      }
    })
  const act = (change: Change): void => {
    const before = now()
    if (!before || lengthOf(changed(rangesOf(before), change)) === lengthOf(rangesOf(before)))
      return
    let isStored = false
    const drop = () => {
      acts = acts.filter((each) => each !== step)
    }
    const sendStep = async () => {
      acts = [...acts, step]
      isStored = await send(change)
      if (!isStored) drop()
      return isStored
    }
    const step: OtherStep = {
      undo: async () => {
        await line
        // It was taken back when it failed.
        if (!isStored) return true
        const isBack = await undoLast()
        if (isBack) drop()
        return isBack
      },
      redo: sendStep,
    }
    steps.did(step)
    void sendStep().then((isDone) => steps.stored(step, isDone))
  }
  return {
    act,
    /** Takes the last act back, also of a page before. */
    undo: () =>
      void steps.inTurn(async () => {
        const step = acts.at(-1)
        await (step ? steps.takeBack(step) : undoLast())
      }),
  }
}

export const rangesOf = ({ cuts }: Cuts): Range[] =>
  cuts.map(({ start, end }) => ({
    startMs: Math.round(start * 1000),
    endMs: Math.round(end * 1000),
  }))

/** How long the recording is. */
export const durationOf = (cuts: Cuts): number =>
  Math.round(cuts.remaining * 1000) + lengthOf(rangesOf(cuts))

function withChange(cuts: Cuts, change: Change): Cuts {
  const list = changed(rangesOf(cuts), change)
  return {
    ...cuts,
    cuts: inSeconds(list),
    remaining: (durationOf(cuts) - lengthOf(list)) / 1000,
    canUndo: true,
  }
}

/** "Cut, 0:06. 2 cuts in all." A moment that is cut takes a second here. */
function saidOf(before: Cuts | undefined, after: Cuts | undefined): string {
  if (!before || !after) return ''
  const gone = before.remaining - after.remaining
  const time = formatTime(Math.ceil(Math.abs(gone)))
  const all = after.cuts.length
  const left = all === 0 ? 'No cuts are left.' : `${cutsInWords(all)} in all.`
  return `${gone > 0 ? 'Cut' : 'Put back'}, ${time}. ${left}`
}

export const cutsInWords = (count: number): string => (count === 1 ? '1 cut' : `${count} cuts`)
