/**
 * Which speaker of a new text is which of the old one: the one who speaks at the same times. If a
 * voice with a name and one without became one, the name is not in doubt: they were found to be one
 * person. Pure.
 */
import type { NamedSpeaker } from '#features/row/kept.ts'

interface Said {
  speaker: number | null
  startMs: number
  endMs: number
}

export interface SameVoices {
  /** Names of the new speakers. */
  names: { speaker: number; name: string }[]
  /** Names that may be theirs: somebody is to say so. */
  likely: { speaker: number; name: string }[]
}

/**
 * A voice has a name when nobody else has more of its time, the name has this much of what was said
 * under names, and the voice this much of what was said under this one.
 */
const SURE_OF_VOICE = 0.6
const SURE_OF_NAME = 0.5
/** With less than this of either, nobody is asked. */
const LIKELY = 0.3

export function sameVoices({
  named,
  before,
  after,
}: {
  /** The old speakers. */
  named: readonly NamedSpeaker[]
  before: readonly Said[]
  after: readonly Said[]
}): SameVoices {
  const shared = sharedTimes(before, after)
  const ofVoice = sums(shared, ({ now }) => now)
  const ofName = sums(shared, ({ was }) => was)
  const nameOf = (was: number) => named.find(({ speaker }) => speaker === was)?.name
  const inNames = sums(
    shared.filter(({ was }) => nameOf(was)),
    ({ now }) => now,
  )
  const most = new Map(shared.toSorted((a, b) => a.ms - b.ms).map(({ now, ms }) => [now, ms]))
  const pairs = shared
    .flatMap(({ was, now, ms }) => {
      const name = nameOf(was)
      if (!name) return []
      const voice = ms / (ofVoice.get(now) ?? ms)
      const isMost = ms === most.get(now) && ms / (inNames.get(now) ?? ms) >= SURE_OF_VOICE
      return [{ was, now, name, ms, voice, isMost, share: ms / (ofName.get(was) ?? ms) }]
    })
    .toSorted((a, b) => b.ms - a.ms)

  const found: SameVoices = { names: [], likely: [] }
  const given = new Set<number>()
  const asked = new Set<number>()
  for (const { was, now, name, voice, isMost, share } of pairs) {
    if (asked.has(now)) continue
    const isSure = isMost && share >= SURE_OF_NAME && !given.has(was)
    if (isSure) {
      given.add(was)
      found.names.push({ speaker: now, name })
    } else if (voice >= LIKELY || share >= LIKELY) found.likely.push({ speaker: now, name })
    else continue
    asked.add(now)
  }
  return found
}

interface Shared {
  was: number
  now: number
  ms: number
}

/** How long each of the old speakers speaks while each of the new ones does. */
function sharedTimes(before: readonly Said[], after: readonly Said[]): Shared[] {
  const byTime = (a: Said, b: Said) => a.startMs - b.startMs
  const [old, fresh] = [before.toSorted(byTime), after.toSorted(byTime)]
  const times = new Map<string, Shared>()
  let first = 0
  for (const { speaker: now, startMs, endMs } of fresh) {
    if (now === null) continue
    while ((old[first]?.endMs ?? Infinity) <= startMs) first += 1
    for (let index = first; index < old.length; index += 1) {
      const turn = old[index]
      if (!turn || turn.startMs >= endMs) break
      const ms = Math.min(endMs, turn.endMs) - Math.max(startMs, turn.startMs)
      if (turn.speaker === null || ms <= 0) continue
      const key = `${turn.speaker}:${now}`
      const so = times.get(key) ?? { was: turn.speaker, now, ms: 0 }
      times.set(key, { ...so, ms: so.ms + ms })
    }
  }
  return [...times.values()]
}

function sums(shared: readonly Shared[], of: (each: Shared) => number): Map<number, number> {
  const all = new Map<number, number>()
  for (const each of shared) all.set(of(each), (all.get(of(each)) ?? 0) + each.ms)
  return all
}
