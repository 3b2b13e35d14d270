/** The steps that "undo" takes back and "redo" makes again, for as long as a result is open. */
import { formatTime } from '#shared/format.ts'
import { tidyText } from '#shared/written.ts'
import { ApiError, sentenceOf } from '#web/api.ts'
import { type ToastWords, toast, toastFailure } from '#web/ui/toast.tsx'

import type { Edited, WordTurn } from '../contract.ts'
import { SURE, unpackWords } from '../packed-words.ts'
import type { Drafts } from './drafts.ts'

/** How often "undo" can be pressed, and when the last change was stored. */
export interface Saved {
  undoable: number
  at: Date | null
  /** A text was given up since: nothing of it is stored. */
  isLeft: boolean
}

/** A text that was typed into a turn and given up when the turn was left. */
interface Left {
  turnId: string
  text: string
}

/**
 * An act of another room, which is taken back in its turn and can be done again. Both answer whether
 * that is stored.
 */
export interface OtherStep {
  undo: () => Promise<boolean>
  redo: () => Promise<boolean>
}

/** A stored change, a text that was given up, or an act of another room. */
type Step = number | Left | OtherStep

export function createSteps(onSaved: (saved: Saved) => void) {
  const undoable: Step[] = []
  const redoable: (number | OtherStep)[] = []
  let at: Date | null = null
  let isLeft = false
  const tell = () => onSaved({ undoable: undoable.length, at, isLeft })
  return {
    tell,
    undoable,
    redoable,
    /** A change was stored; what was undone before cannot be done again after a new one. */
    stored: (edit: number | null, by: 'change' | 'undo' | 'redo') => {
      if (edit !== null && by === 'change') redoable.length = 0
      if (edit !== null) (by === 'undo' ? redoable : undoable).push(edit)
      at = new Date()
      isLeft = false
      tell()
    },
    /** Another room acts. It says later whether that is stored. */
    other: (step: OtherStep) => {
      redoable.length = 0
      undoable.push(step)
    },
    otherStored: (step: OtherStep, isStored: boolean) => {
      const place = undoable.indexOf(step)
      if (isStored) [at, isLeft] = [new Date(), false]
      else if (place >= 0) undoable.splice(place, 1)
      tell()
    },
    left: (step: Left) => {
      undoable.push(step)
      isLeft = true
      tell()
    },
    /** Drops all steps: they were made in another text. */
    forget: () => {
      redoable.length = 0
      if (undoable.splice(0).length > 0) tell()
    },
  }
}

/** Takes steps back, each when what was typed before it is stored. */
export type OtherSteps = ReturnType<typeof createUndo>['others']

export function createUndo({
  steps,
  drafts,
  undo,
  accept,
  turnOf,
}: {
  steps: ReturnType<typeof createSteps>
  drafts: Drafts
  /** Undoes a change on the server, and shows what came of it. */
  undo: (edit: number, by: 'undo' | 'redo') => Promise<Edited>
  /** Words that somebody found right, by their numbers in the turn. */
  accept: (turn: WordTurn, words: number[]) => Promise<unknown>
  turnOf: (id: string) => WordTurn | undefined
}) {
  const { undoable, redoable, tell } = steps
  /** Takes a change back, or an undo, which makes the change again. */
  const takeBack = async (edit: number): Promise<Edited | null> => {
    const isRedo = redoable.includes(edit)
    const some: Step[] = isRedo ? redoable : undoable
    const place = some.lastIndexOf(edit)
    if (place >= 0) some.splice(place, 1)
    try {
      const edited = await undo(edit, isRedo ? 'redo' : 'undo')
      toast({
        title: isRedo ? 'Done again' : 'Undone',
        ...placeOf(edited),
        ...withButton(isRedo ? 'Undo' : 'Redo', edited.undo),
      })
      return edited
    } catch (error) {
      // The server got nothing, so the button can be pressed again.
      if (!(error instanceof ApiError) && place >= 0) some.splice(place, 0, edit)
      tell()
      toastFailure(
        'Could not undo',
        sentenceOf(error, 'The change was not saved. Please try again.'),
      )
      return null
    }
  }
  /** Takes an act of another room back, or does it again. */
  const stepOther = async (other: OtherStep, by: 'undo' | 'redo'): Promise<null> => {
    const from: Step[] = by === 'undo' ? undoable : redoable
    const to: Step[] = by === 'undo' ? redoable : undoable
    const place = from.indexOf(other)
    if (place >= 0) from.splice(place, 1)
    const isStored = await other[by]()
    // One that was forgotten with another text is taken back for good.
    if (place >= 0 && isStored) to.push(other)
    else if (place >= 0) from.splice(place, 0, other)
    tell()
    return null
  }
  /** Types again what was left out of a turn. */
  const typeAgain = async (left: Left): Promise<null> => {
    const place = undoable.indexOf(left)
    if (place >= 0) undoable.splice(place, 1)
    tell()
    const turn = turnOf(left.turnId)
    if (turn) {
      drafts.type(turn, left.text)
      await drafts.flush(turn.id)
    } else toastFailure('Could not undo', 'The turn is gone.')
    return null
  }
  /** Steps are taken one after the other, when what was typed before is stored. */
  let last: Promise<unknown> = Promise.resolve()
  const next = <Done>(work: () => Promise<Done>): Promise<Done> => {
    const done = last.then(async () => {
      await Promise.all([...drafts.getAll().keys()].map(drafts.flush))
      return work()
    })
    last = done
    return done
  }
  /** The part of a toast that offers to take an edit back. */
  const withButton = (label: string, edit: number | null) =>
    edit === null ? {} : { action: { label, onPress: () => void takeBack(edit) } }

  return {
    withButton,
    /** A job has made a change, which is taken back as those that were made here. */
    tellOfJob: (edit: number | null, said: Omit<ToastWords, 'action'>) => {
      if (edit !== null) {
        redoable.length = 0
        undoable.push(edit)
        tell()
      }
      toast({ ...said, ...withButton('Undo', edit) })
    },
    /** Undoes a change by its number. */
    takeBack,
    /** Takes the last change back. */
    undo: () =>
      next(async () => {
        const step = undoable.at(-1)
        if (step === undefined) return null
        if (typeof step === 'number') return takeBack(step)
        return 'undo' in step ? stepOther(step, 'undo') : typeAgain(step)
      }),
    /** Makes again what was undone last. */
    redo: () =>
      next(async () => {
        const step = redoable.at(-1)
        if (step === undefined) return null
        return typeof step === 'number' ? takeBack(step) : stepOther(step, 'redo')
      }),
    /** What other rooms do is taken back in its turn. */
    others: {
      did: steps.other,
      stored: steps.otherStored,
      inTurn: next,
      takeBack: (other: OtherStep) => stepOther(other, 'undo'),
    },
    forgetSteps: steps.forget,
    /**
     * Gives a turn the text it had before, with the words in it that somebody had found right. What was
     * typed into it meanwhile can be had back.
     */
    leave: (turn: WordTurn, before: Before, typed: string) => {
      const isSending = drafts.getAll().get(turn.id)?.status === 'sending'
      if (!isSending) drafts.forget(turn.id)
      // A part of what was typed is stored already, or is just being sent.
      if (isSending || turn.text !== before.text) drafts.type(turn, before.text)
      const isChanged = !isSameText(typed, before.text)
      void next(async () => {
        const now = turnOf(turn.id)
        const lost = now ? noLongerRight(before, now) : []
        if (now && lost.length > 0) await accept(now, lost)
        if (!isChanged) return
        const left: Left = { turnId: turn.id, text: typed }
        steps.left(left)
        toast({
          title: 'Left without your changes',
          action: { label: 'Undo', onPress: () => void next(() => typeAgain(left)) },
        })
      })
    },
  }
}

type Before = Pick<WordTurn, 'text' | 'words'>

/** Words of a text that is there again, which the engine's doubt came back with. */
function noLongerRight(before: Before, now: Before): number[] {
  if (now.text !== before.text) return []
  const words = wordsOf(now)
  return wordsOf(before).flatMap(({ from, confidence }, index) => {
    const word = words[index]
    return confidence === SURE && word?.from === from && word.confidence !== SURE ? [index] : []
  })
}

const wordsOf = ({ words }: Before) => unpackWords({ start: 0, words })

/** Where it was changed, which may be out of sight. */
function placeOf({ turns }: Edited): { description?: string } {
  const [first] = turns
  if (!first) return {}
  const at = formatTime(first.start)
  return { description: turns.length === 1 ? `In the turn at ${at}.` : `From ${at} on.` }
}

const isSameText = (a: string, b: string) => tidyText(a) === tidyText(b)
