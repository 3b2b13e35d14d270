import { Check, ChevronLeft, ChevronRight, Pencil, Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

import { WIDE } from '#features/chapters/ui/use-chapters.ts'
import type { Accuracy, Words, WordTurn } from '#features/text/contract.ts'
import { accuracySentence } from '#features/text/ui/accuracy.ts'
import { type CheckItem, contextOf } from '#features/text/ui/check-items.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { classes } from '#web/ui/classes.ts'
import { Timecode } from '#web/ui/timecode.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { useMedia } from '#web/use-media.ts'

import { CheckForm, actsClasses } from './check-form.tsx'
import { timeFor } from './check-memory.ts'
import { keysFor } from '../keys/key-names.ts'
import { checkingAct } from '../keys/keys.ts'
import { playsEach } from '../settings.ts'
import { useSetting } from '../use-setting.ts'
import type { Checking } from './use-checking.ts'
import { useSingleKeys } from '../keys/use-reading-keys.ts'

/**
 * Letters of context on either side of a word: beside the text, in a sheet that must not hide it, and
 * in the list of the next.
 */
const AROUND = 70
const AROUND_SHORT = 28
const AROUND_NEXT = 14
/** How many more are offered when a sitting has reached its goal. */
const MORE = 50

/** Why words are in doubt. */
const NAMES = 'Names and rare words are the likeliest to be wrong.'
const reasons: Record<NonNullable<Words['sound']>, string> = {
  noisy: 'The sound is noisy in places, so names and rare words may be wrong.',
  telephone: 'It sounds like a telephone line, so names and rare words may be wrong.',
}

/** Shows the words in doubt one by one, to be heard, accepted or corrected. */
export function CheckQueue({
  checking,
  words: { turns, checked, sound },
  onClose,
}: {
  checking: Checking
  words: Words
  onClose: () => void
}) {
  const { item, isCorrecting, setCorrecting, play, accept, number, total } = checking
  const isAsked = item !== undefined && !isCorrecting
  useSingleKeys(checkingAct, {
    right: isAsked ? accept : null,
    correct: isAsked ? () => setCorrecting(true) : null,
    play: isAsked ? play : null,
  })
  return (
    <SidePanel
      title="Words to check"
      closeLabel="Close words to check"
      onClose={isCorrecting ? () => setCorrecting(false) : onClose}
      head={
        item ? (
          <div className="flex items-center gap-3">
            <Progress number={number} total={total} left={timeFor(checking.asksLeft)} />
            {isCorrecting ? null : <Steps checking={checking} className="-my-1.5 lg:hidden" />}
          </div>
        ) : null
      }
    >
      {item ? (
        <>
          <Item {...{ checking, turns, item }} />
          <p className="mt-4 text-small text-ink-2 max-lg:hidden">
            {sound ? reasons[sound] : NAMES}
          </p>
        </>
      ) : (
        <AllDone checking={checking} accuracy={checked} onClose={onClose} />
      )}
    </SidePanel>
  )
}

/** The keys of the panel, as they are now: `Enter looks right · C correct · Space play · ] next`. */
function keysLine(canPlay: boolean): string {
  const parts = [
    [keysFor('checking.right'), 'looks right'],
    [keysFor('checking.correct'), 'correct'],
    [canPlay ? keysFor('checking.play') : '', 'play'],
    [keysFor('reading.check-after'), 'next'],
  ] as const
  return parts
    .filter(([keys]) => keys !== '')
    .map((part) => part.join(' '))
    .join(' · ')
}

function Progress({ number, total, left }: { number: number; total: number; left: string }) {
  const share = `${((number - 1) / total) * 100}%`
  return (
    <div className="min-w-0 flex-1">
      {/* Where the time left does not fit, it falls into a second line, which is not seen. */}
      <p className="text-small leading-6! tabular-nums max-lg:h-6 max-lg:overflow-hidden">
        <span className="font-semibold">
          {number.toLocaleString('en-US')} of {total.toLocaleString('en-US')}
        </span>
        <span className="inline-block text-ink-2">&nbsp;· {left}</span>
      </p>
      <div aria-hidden="true" className="relative mt-1.5 h-1 rounded-full bg-rule">
        <div className="h-full rounded-full bg-ink-2" style={{ width: share }} />
        <div
          className="absolute -top-1 h-3 w-[2.5px] -translate-x-1/2 rounded-full bg-playhead"
          style={{ left: share }}
        />
      </div>
    </div>
  )
}

/** The way to the word before and to the next, which stay in doubt. */
function Steps({ checking: { move }, className }: { checking: Checking; className: string }) {
  return (
    <div className={classes('flex gap-1', className)}>
      <IconButton label="Word before" onClick={() => move(-1)}>
        <ChevronLeft />
      </IconButton>
      <IconButton label="Word after" onClick={() => move(1)}>
        <ChevronRight />
      </IconButton>
    </div>
  )
}

function Item({
  checking,
  turns,
  item,
}: {
  checking: Checking
  turns: readonly WordTurn[]
  item: CheckItem
}) {
  const { play, accept, isCorrecting, setCorrecting, number, total } = checking
  const times = item.places.length
  const isPlayedByItself = useSetting(playsEach)
  return (
    <>
      <Announcement number={number} total={total} item={item} turns={turns} />
      {/* As high for a few words as for many, so that the buttons stay where they are. */}
      <div className="mt-3 lg:mt-5 lg:min-h-48 lg:rounded-panel lg:border lg:border-line lg:bg-card lg:p-4">
        <p
          className={classes('text-reading lg:text-body', !isCorrecting && 'max-lg:min-h-[2lh]')}
          dir="auto"
        >
          <Timecode s={item.first.startMs / 1000} className="mr-2.5 text-fine! text-ink-2" />
          <Context turns={turns} item={item} />
        </p>
        {isCorrecting ? (
          <CheckForm
            key={`${turns[item.first.turn]?.id} ${item.first.index}`}
            checking={checking}
            item={item}
          />
        ) : times > 1 ? (
          <p className="mt-1 text-small text-ink-2 lg:mt-2">
            In doubt {times} times<span className="max-lg:hidden"> in this recording</span>. “Looks
            right” is for all<span className="max-lg:hidden"> of them</span>.
          </p>
        ) : null}
      </div>
      {isCorrecting ? null : (
        <div
          className={classes(
            actsClasses,
            'mt-3 *:px-2.5! lg:mt-4 lg:gap-1.5 lg:*:gap-1.5! lg:*:px-2!',
          )}
        >
          {play ? (
            <Button size="small" icon={<Play />} onClick={play}>
              Play
            </Button>
          ) : null}
          <Button
            size="small"
            className="flex-1"
            icon={<Pencil />}
            onClick={() => setCorrecting(true)}
          >
            Correct
          </Button>
          <Button
            size="small"
            variant="primary"
            className="flex-[1.25]"
            icon={<Check />}
            onClick={accept}
          >
            Looks right
          </Button>
        </div>
      )}
      <div className="mt-3 flex items-center gap-1 max-lg:hidden">
        <Steps checking={checking} className="" />
        {isCorrecting ? (
          <Button
            size="small"
            variant="quiet"
            className="ml-auto"
            icon={<Check />}
            onClick={accept}
          >
            Looks right
          </Button>
        ) : play ? (
          <Checkbox
            className="ml-auto text-ui"
            checked={isPlayedByItself}
            onChange={(event) => playsEach.set(event.target.checked)}
          >
            Play each word
          </Checkbox>
        ) : null}
      </div>
      <Coming checking={checking} turns={turns} />
      <p className="mt-4 hidden text-small text-ink-2 lg:block pointer-coarse:hidden">
        {keysLine(play !== null)}
      </p>
    </>
  )
}

function Context({ turns, item }: { turns: readonly WordTurn[]; item: CheckItem }) {
  const { before, after } = contextOf(turns, item, useMedia(WIDE) ? AROUND : AROUND_SHORT)
  return (
    <>
      {before}
      <mark className="marked">{item.word}</mark>
      {after}
    </>
  )
}

/** Says the word to a screen reader. The text changes a moment after it is there, or nobody hears it. */
function Announcement({
  number,
  total,
  item,
  turns,
}: {
  number: number
  total: number
  item: CheckItem
  turns: readonly WordTurn[]
}) {
  const { before, after } = contextOf(turns, item, AROUND)
  const words = `Word ${number} of ${total}, ${item.word}, in: ${before}${item.word}${after}`
  const [said, setSaid] = useState('')
  useEffect(() => {
    const frame = requestAnimationFrame(() => setSaid(words))
    return () => cancelAnimationFrame(frame)
  }, [words])
  return (
    <p role="status" className="sr-only">
      {said}
    </p>
  )
}

function Coming({
  checking: { coming, goTo },
  turns,
}: {
  checking: Checking
  turns: readonly WordTurn[]
}) {
  if (coming.length === 0) return null
  return (
    <section aria-label="Next words" className="mt-4 hidden lg:block">
      <h3 className="border-b border-rule pb-1.5 text-small font-semibold text-ink-2">Next</h3>
      <ul className="divide-y divide-rule">
        {coming.map((item) => {
          const { before, after } = contextOf(turns, item, AROUND_NEXT)
          return (
            <li key={`${item.first.turn} ${item.first.index}`}>
              <button
                type="button"
                onClick={() => goTo(item)}
                className="flex min-h-11 w-full items-baseline gap-3 rounded-control py-2.5 text-left text-small hover:bg-paper-2"
              >
                <span className="sr-only">Go to </span>
                <Timecode s={item.first.startMs / 1000} className="text-fine! text-ink-2" />
                <span className="min-w-0 truncate" dir="auto">
                  {before.replace('… ', '')}
                  <span className="to-check">{item.word}</span>
                  {after.replace(' …', '')}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

function AllDone({
  checking,
  accuracy,
  onClose,
}: {
  checking: Checking
  accuracy: Accuracy | undefined
  onClose: () => void
}) {
  const { done, hasMore, wordsLeft } = checking
  const sum = done.right + done.corrected
  const main = useRef<HTMLButtonElement>(null)
  useEffect(() => main.current?.focus({ preventScroll: true }), [])
  return (
    <div className="pb-1">
      <p role="status" className="text-ui font-semibold">
        {hasMore ? `${sum} words are checked.` : 'All words are checked.'}
      </p>
      {sum > 0 ? (
        <p className="mt-1 text-small text-ink-2">
          {done.right.toLocaleString('en-US')} looked right,{' '}
          {done.corrected.toLocaleString('en-US')} corrected
        </p>
      ) : null}
      {accuracy && !hasMore ? (
        <p role="status" className="mt-2 text-ui">
          {accuracySentence(accuracy)}
        </p>
      ) : null}
      <div className="mt-4 flex gap-2">
        {hasMore ? (
          <Button ref={main} size="small" variant="primary" onClick={() => checking.open(MORE)}>
            Check the next {Math.min(MORE, wordsLeft)}
          </Button>
        ) : null}
        <Button
          {...(hasMore ? {} : { ref: main })}
          size="small"
          variant={hasMore ? 'secondary' : 'primary'}
          onClick={onClose}
        >
          Close
        </Button>
      </div>
    </div>
  )
}
