import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'

import type { Words } from '#features/text/contract.ts'
import { peaksQuery } from '#features/text/ui/words-query.ts'
import { turnsForOthers } from '#features/text/ui/turns-for-others.ts'
import { type WordPlace, placesOf } from '#features/text/ui/word-places.ts'
import type { Transcription } from '#features/transcriptions/contract.ts'
import {
  type ClipCaptions,
  type ClipShape,
  LONGEST_CLIP_MS,
  clipCaptions,
  clipShapes,
} from '#shared/clips.ts'
import { titleOf } from '#shared/file-names.ts'
import { sentenceOf } from '#web/api.ts'
import type { Player } from '#web/player.ts'
import { Button } from '#web/ui/button.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { Segments } from '#web/ui/segments.tsx'
import { Select } from '#web/ui/select.tsx'
import { SidePanel } from '#web/ui/side-panel.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { useVeil } from '#web/ui/with-bars.tsx'

import { namesIn } from '../clip-captions.ts'
import type { Render } from '../contract.ts'
import { type Range, cutsAround, lengthOf } from '../ranges.ts'
import { ClipPicture } from './clip-picture.tsx'
import { lengthInWords, saidIn } from './clip-words.ts'
import { MadeFile, shapeNames } from './made-file.tsx'
import { rendersQuery, useOrderRender } from './renders.ts'
import type { CutsState } from './use-cuts.ts'

const captionNames: Readonly<Record<ClipCaptions, string>> = {
  words: 'Word by word',
  lines: 'Plain',
  none: 'None',
}
const noLevels: readonly number[] = []
const noNames: ReadonlyMap<number, string> = new Map()

/** Makes a file of its own of a passage: how it looks, and those that were made. */
export function ClipPanel({
  transcription,
  words,
  places,
  player,
  cuts: { list },
  passage,
  lastShape,
  onShape,
  onShare,
  onClose,
}: {
  transcription: Transcription
  words: Words
  places: readonly WordPlace[]
  player: Player
  cuts: CutsState
  passage: Range
  /** The one that was chosen for another clip. */
  lastShape: string | null
  onShape: (chosen: ClipShape) => void
  /** Gives a clip away. */
  onShare: (made: Render) => void
  onClose: () => void
}) {
  const { id, duration, originalName } = transcription
  const { turns, speakers } = words
  const [shape, setShape] = useState(
    () => clipShapes.find((each) => each === lastShape) ?? 'upright',
  )
  const [captions, setCaptions] = useState<ClipCaptions>('words')
  const [hasNames, setHasNames] = useState(true)
  const [centre, setCentre] = useState({ x: 0.5, y: 0.5 })
  const order = useOrderRender(id)
  const { data: peaks } = useQuery(peaksQuery(id))
  const { data: made } = useQuery(rendersQuery(id))
  const ordered = useRef<HTMLLIElement>(null)
  // Of the last press, which may have been for one that is there.
  const { data: isOrdered } = order
  useEffect(() => (isOrdered ? keptInSight(ordered.current) : undefined), [isOrdered])
  const durationMs = duration * 1000
  const veil = useVeil()
  const shown = useMemo(() => {
    const barred = turnsForOthers(turns, veil)
    return barred === turns ? { turns, places } : { turns: barred, places: placesOf(barred) }
  }, [turns, places, veil])
  const said = useMemo(
    () => saidIn(shown, { passage, list, durationMs }),
    [shown, passage, list, durationMs],
  )
  const allNames = useMemo(
    () => namesIn(speakers.map((one) => ({ ...one, name: one.name && veil.hide(one.name) }))),
    [speakers, veil],
  )
  // The picture is that of the beginning, until it is played.
  const { startMs, endMs } = passage
  useEffect(() => {
    if (!player.getState().isPlaying) player.seek(startMs / 1000)
  }, [player, startMs])
  const isLong = durationMs - lengthOf(cutsAround(list, passage, { durationMs })) > LONGEST_CLIP_MS
  const clips = (made?.renders ?? []).filter(({ clip }) => clip !== null)
  const making = clips.find(({ status }) => status === 'making')
  const make = () =>
    order.mutate({
      clip: { start: startMs / 1000, end: endMs / 1000, shape, captions, names: hasNames, centre },
    })
  return (
    <SidePanel
      title="Clip"
      closeLabel="Close the clip"
      onClose={onClose}
      foot={
        <>
          {isLong ? <p className="mb-2 text-small">A clip is at most 3 minutes.</p> : null}
          {order.error ? (
            <InlineError className="mb-2">{sentenceOf(order.error)}</InlineError>
          ) : null}
          <div className="flex items-center gap-4">
            <Button
              variant="primary"
              disabled={isLong || said.length === 0}
              pending={order.isPending}
              onClick={make}
            >
              Make the clip
            </Button>
            <p className="text-small text-ink-2 tabular-nums">
              {making ? (
                <span role="status">Making it… {making.progress}%</span>
              ) : (
                lengthInWords(passage, list)
              )}
            </p>
          </div>
        </>
      }
    >
      {shape === 'sound' ? null : (
        <div className="mt-1 mb-4 flex max-lg:justify-center">
          <ClipPicture
            names={hasNames ? allNames : noNames}
            {...{ shape, captions, said, player, passage, list, duration, centre }}
            title={titleOf(veil.hide(originalName))}
            levels={peaks?.peaks ?? noLevels}
            onCentre={setCentre}
          />
        </div>
      )}
      <Segments
        label="Shape"
        hideLabel
        value={shape}
        onChange={(chosen) => {
          setShape(chosen)
          onShape(chosen)
        }}
        choices={clipShapes.map((value) => ({ value, label: shapeNames[value] }))}
      />
      {shape === 'sound' ? null : (
        <>
          <div className="mt-4 flex min-h-14 items-center justify-between gap-4 border-t border-rule text-ui">
            <span aria-hidden="true">Captions</span>
            <Select
              label="Captions"
              hideLabel
              className="w-44"
              value={captions}
              onChange={({ target }) =>
                setCaptions(clipCaptions.find((each) => each === target.value) ?? 'words')
              }
            >
              {clipCaptions.map((each) => (
                <option key={each} value={each}>
                  {captionNames[each]}
                </option>
              ))}
            </Select>
          </div>
          {allNames.size > 0 ? (
            <Switch
              label="Speakers’ names"
              className="border-y border-rule"
              checked={hasNames}
              onChange={setHasNames}
            />
          ) : null}
        </>
      )}
      {clips.length > 0 ? (
        <section className="mt-5">
          <h3 className="text-ui font-[650]">Clips made</h3>
          <ul className="mt-1 border-t border-rule">
            {clips.map((each) => (
              <MadeFile
                key={each.id}
                ref={each.id === order.data?.id ? ordered : undefined}
                made={each}
                levels={noLevels}
                onShare={onShare}
                onAgain={() => {
                  if (each.clip) order.mutate({ format: each.format, clip: each.clip })
                }}
              />
            ))}
          </ul>
        </section>
      ) : null}
    </SidePanel>
  )
}

/** Scrolls to a clip, also when it grows as it is made, until somebody scrolls away from it. */
function keptInSight(row: HTMLElement | null): (() => void) | undefined {
  const box = row?.closest('[data-scrolls]')
  if (!row || !box) return undefined
  let placed: number | null = null
  const observer = new ResizeObserver(() => {
    if (placed !== null && placed !== box.scrollTop) return observer.disconnect()
    const [room, needed] = [box.getBoundingClientRect(), row.getBoundingClientRect()]
    box.scrollTop += Math.min(needed.top - room.top, Math.max(0, needed.bottom - room.bottom))
    placed = box.scrollTop
  })
  observer.observe(row)
  return () => observer.disconnect()
}
