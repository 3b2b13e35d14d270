import { Play, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'

import type { WordTurn } from '#features/text/contract.ts'
import { contextOf } from '#features/text/ui/check-items.ts'
import type { WordPlace } from '#features/text/ui/word-places.ts'
import { counted, formatTime, languageName } from '#shared/format.ts'
import type { Player } from '#web/player.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { Timecode } from '#web/ui/timecode.tsx'
import { toast } from '#web/ui/toast.tsx'

import { type Range, lengthOf } from '../ranges.ts'
import { wordless } from './cut-words.ts'
import { type Kind, LONG_PAUSE_MS, type Proposal, kinds, proposalsIn } from './proposals.ts'
import { habits } from './spoken-habits.ts'
import type { CutsState } from './use-cuts.ts'

const names: Readonly<Record<Kind, string>> = {
  um: 'Ums',
  repeat: 'Repeats',
  pause: `Pauses over ${LONG_PAUSE_MS / 1000} s`,
}
/** A long pause is made so long. */
const KEPT_PAUSE_MS = 500
/** Letters beside what is proposed. */
const AROUND = 14
/** "Listen first" and each Play begin so much before. */
const BEFORE_S = 3
const BEFORE_ONE_S = 1

/**
 * Proposes hesitations, repeats and long pauses of the whole recording; those that are ticked go in one act.
 * Pauses that were shortened can be put back here one by one: the text does not show them.
 */
export function TidyPanel({
  turns,
  places,
  language,
  player,
  cuts,
  onShow,
  onClose,
}: {
  turns: readonly WordTurn[]
  places: readonly WordPlace[]
  /** ISO 639-1 of what is spoken; null where nobody knows. */
  language: string | null
  player: Player
  cuts: CutsState
  /** Shows a place of the text. */
  onShow: (turn: number) => void
  onClose: () => void
}) {
  const { list, setTried, changeFor } = cuts
  const all = useMemo(
    () => proposalsIn({ turns, places }, { language, list, keptPauseMs: KEPT_PAUSE_MS }),
    [turns, places, language, list],
  )
  // Pauses are no mistakes, so they are offered and not ticked.
  const [isOn, setOn] = useState<Readonly<Record<Kind, boolean>>>({
    um: true,
    repeat: true,
    pause: false,
  })
  /** Those that are not as their kind is. */
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  const rows = useRef<HTMLUListElement>(null)
  const isTicked = (each: Proposal) => isOn[each.kind] !== others.has(keyOf(each))
  const ticked = all.filter(isTicked)
  const change = useMemo(
    () => changeFor(all.filter((each) => isOn[each.kind] !== others.has(keyOf(each)))),
    [changeFor, all, isOn, others],
  )
  // They are marked in the text while the panel is open, and cut by nothing but the button.
  useEffect(() => setTried({ ranges: change.cut, isPlayed: false }), [setTried, change])
  useEffect(() => () => setTried(null), [setTried])
  const shortened = useMemo(() => wordless(list, places), [list, places])
  const count = (kind: Kind) => all.filter((each) => each.kind === kind)
  const setKind = (kind: Kind, to: boolean) => {
    setOn({ ...isOn, [kind]: to })
    setOthers(new Set([...others].filter((key) => !key.startsWith(kind))))
  }
  const toggle = (each: Proposal) => {
    const next = new Set(others)
    if (!next.delete(keyOf(each))) next.add(keyOf(each))
    setOthers(next)
  }
  const play = ({ startMs, endMs }: Range) => {
    setTried({ ranges: change.cut, isPlayed: false })
    player.playFrom(startMs / 1000 - BEFORE_ONE_S, endMs / 1000 + BEFORE_ONE_S)
  }
  const listen = () => {
    const first = ticked.find((each) => isBelow(rows.current, all.indexOf(each))) ?? ticked[0]
    if (!first) return
    setTried({ ranges: change.cut, isPlayed: true })
    player.playFrom(first.startMs / 1000 - BEFORE_S)
  }
  const take = () => {
    cuts.act(change)
    onClose()
    toast({
      title: `${ticked.length.toLocaleString('en-US')} taken out`,
      description: `${formatTime(Math.ceil(lengthOf(change.cut) / 1000))} shorter.`,
    })
  }
  return (
    <SidePanel
      title="Take out ums and repeats"
      closeLabel="Close ums and repeats"
      onClose={onClose}
      foot={
        all.length > 0 ? (
          <div className="flex gap-2.5">
            <Button variant="primary" disabled={ticked.length === 0} onClick={take}>
              Take out {ticked.length.toLocaleString('en-US')}
            </Button>
            <Button icon={<Play />} disabled={ticked.length === 0} onClick={listen}>
              Listen first
            </Button>
          </div>
        ) : null
      }
    >
      <p className="text-small text-ink-2">{introduction(all, language)}</p>
      {all.length === 0 ? null : (
        <>
          <ul className="mt-3 border-t border-rule">
            {kinds.map((kind) => {
              const found = count(kind)
              if (found.length === 0) return null
              const on = found.filter(isTicked).length
              return (
                <li key={kind} className="flex items-center border-b border-rule">
                  <Checkbox
                    className="flex-1 font-[650]"
                    checked={on > 0}
                    isMixed={on > 0 && on < found.length}
                    onChange={() => setKind(kind, on < found.length)}
                  >
                    {names[kind]}
                  </Checkbox>
                  <span className="font-mono text-code text-ink-2 tabular-nums">
                    {found.length.toLocaleString('en-US')} · {formatTime(lengthS(found))}
                  </span>
                </li>
              )
            })}
          </ul>
          <ul ref={rows} className="mt-5 border-t border-rule">
            {all.map((each) => (
              <li key={keyOf(each)} className="flex items-center gap-2 border-b border-rule">
                <Checkbox
                  className="min-w-0 flex-1 text-small"
                  checked={isTicked(each)}
                  onChange={() => toggle(each)}
                >
                  <Around each={each} turns={turns} />
                </Checkbox>
                <Timecode s={each.startMs / 1000} className="text-ink-2" />
                <PlayButton
                  startMs={each.startMs}
                  onClick={() => {
                    if (each.kind !== 'pause') onShow(each.words[0]?.turn ?? 0)
                    play(each)
                  }}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {shortened.length > 0 ? (
        <>
          <h3 className="mt-6 text-small font-[650]">Shortened pauses</h3>
          <ul className="mt-2 border-t border-rule">
            {shortened.map((cut) => (
              <li key={cut.startMs} className="flex items-center gap-2 border-b border-rule">
                <span className="flex-1 text-small">
                  {(lengthOf([cut]) / 1000).toFixed(1)} s shorter
                </span>
                <Timecode s={cut.startMs / 1000} className="text-ink-2" />
                <PlayButton startMs={cut.startMs} onClick={() => play(cut)} />
                <IconButton
                  label={`Put back ${formatTime(cut.startMs / 1000)}`}
                  onClick={() => cuts.act({ cut: [], restore: [cut] })}
                >
                  <Undo2 />
                </IconButton>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </SidePanel>
  )
}

function PlayButton({ startMs, onClick }: { startMs: number; onClick: () => void }) {
  return (
    <IconButton label={`Play ${formatTime(startMs / 1000)}`} onClick={onClick}>
      <Play />
    </IconButton>
  )
}

/** The same one after another is taken out. */
const keyOf = ({ kind, startMs }: Proposal): string => `${kind} ${startMs}`

/** Whether a row is not scrolled out at the top of the panel. */
function isBelow(list: HTMLElement | null, row: number): boolean {
  const box = list?.children[row]?.getBoundingClientRect()
  const top = list?.parentElement?.getBoundingClientRect().top ?? 0
  return box !== undefined && (box.top + box.bottom) / 2 > top
}

/** In seconds. */
const lengthS = (found: readonly Proposal[]): number =>
  Math.ceil(found.reduce((ms, { startMs, endMs }) => ms + endMs - startMs, 0) / 1000)

function introduction(all: readonly Proposal[], language: string | null): string {
  const has = (kind: Kind) => all.some((each) => each.kind === kind)
  if (all.length === 0) return `No ums or repeats were found. ${withoutUms(language)}`
  const found = `${counted(all.length, 'place')} found. Look through them, then take them out together.`
  return has('um') ? found : `${found} ${withoutUms(language)}`
}

/** Why there are none. */
const withoutUms = (language: string | null): string =>
  language !== null && language in habits
    ? 'Recognisers leave most ums out of the text, and what is not written cannot be found.'
    : `Ums are not known in ${language === null ? 'this language' : languageName(language)}.`

/** What is proposed, with the words around it. */
function Around({ each, turns }: { each: Proposal; turns: readonly WordTurn[] }) {
  if (each.kind === 'pause')
    return <>Pause of {((each.endMs - each.startMs + KEPT_PAUSE_MS) / 1000).toFixed(1)} s</>
  const [first] = each.words
  const last = each.words.at(-1)
  if (!first || !last) return null
  const { before, after } = contextOf(turns, { first, from: first.from, to: last.to }, AROUND)
  return (
    <>
      {before}
      <del className="text-ink-3">{turns[first.turn]?.text.slice(first.from, last.to)}</del>
      {after}
    </>
  )
}
