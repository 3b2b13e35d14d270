/**
 * Plays the recording of a shared page: wave and words follow, a press on a word is heard, and the
 * transcript is searched. Player, marks and keys are those of a result; here they work on what
 * share-page.tsx has written.
 */
import { follow, isInSight, scrollTo, turnElement } from '#features/editor/ui/following.ts'
import { type Hit, findIn } from '#features/editor/ui/find.ts'
import { createNearMarks, letterAt, mark, rangeOf } from '#features/editor/ui/highlights.ts'
import { readingAct } from '#features/editor/ui/keys.ts'
import { actOfKey } from '#features/editor/ui/single-keys.ts'
import { placeInTurn, placesOf } from '#features/editor/ui/word-places.ts'
import { type Folded, fold } from '#shared/fold.ts'
import { formatTime } from '#shared/format.ts'
import { type Player, changeSpeed, createPlayer } from '#web/player.ts'

const STEP_SECONDS = 5
const SLOT_PX = 7
const TALL_PX = 40
const MARKED_MS = 2_000
const SVG = 'http://www.w3.org/2000/svg'

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what it is, as querySelector does
const one = <Found extends Element>(name: string): Found | null =>
  document.querySelector<Found>(`[data-${name}]`)

export function startPlayer(): void {
  const list = one<HTMLElement>('turns')
  if (!list) return
  startSearch(list)
  const media = one<HTMLMediaElement>('media')
  const player = media && play(media, list)
  if (!player) markWhereLinksLead()
  document.addEventListener('keydown', (event) => {
    const act = actOfKey(event, readingAct)
    if (act?.kind === 'search') one<HTMLElement>('search')?.focus()
    else if (act?.kind === 'toggle') player?.toggle()
    else if (act?.kind === 'skip') player?.skip(act.seconds)
    else if (act?.kind === 'speed' && player) changeSpeed(player, act.steps)
    else return
    event.preventDefault()
  })
}

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

function markWhereLinksLead(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest('a[href^="#turn-"]')
    const turn = link && document.querySelector(link.getAttribute('href') ?? '')
    if (!(turn instanceof HTMLElement)) return
    event.preventDefault()
    turn.scrollIntoView({ block: 'center', behavior: isCalm() ? 'instant' : 'smooth' })
    turn.dataset['now'] = ''
    setTimeout(() => delete turn.dataset['now'], MARKED_MS)
  })
}

function play(media: HTMLMediaElement, list: HTMLElement): Player | null {
  const button = one<HTMLButtonElement>('play')
  const seek = one<HTMLInputElement>('seek')
  const clock = one<HTMLElement>('clock')
  const controls = one<HTMLElement>('controls')
  const broken = one<HTMLElement>('broken')
  const again = one<HTMLButtonElement>('again')
  const speed = one<HTMLSelectElement>('speed')
  const follows = one<HTMLInputElement>('follow')
  if (!button || !seek || !clock || !controls || !broken || !again || !speed) return null
  // The browser's own controls are for when there is no script.
  media.controls = false

  const length = Number(seek.max)
  const player = createPlayer({ source: media.src, duration: length, media })
  const turns = [...list.querySelectorAll<HTMLElement>('[data-turn]')].map((turn) => ({
    start: Number(turn.dataset['at']),
    words: (turn.querySelector('p')?.dataset['words'] ?? '').split(' ').map(Number),
  }))
  const places = placesOf(turns)

  player.subscribe(() => {
    const { isPlaying, isBroken, picture, rate } = player.getState()
    button.toggleAttribute('data-playing', isPlaying)
    button.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play')
    broken.hidden = again.hidden = !isBroken
    controls.hidden = isBroken
    controls.classList.toggle('contents', !isBroken)
    media.hidden = picture === 'failed'
    speed.value = String(rate)
  })
  // A video is fetched while the page is read, so it can fail before anybody listens.
  if (media.error) player.reload()

  const wave = drawWave(length)
  player.onTick((seconds) => {
    wave(length > 0 ? Math.min(1, seconds / length) : 0)
    const text = formatTime(seconds)
    if (clock.textContent === text) return
    clock.textContent = text
    seek.value = String(Math.floor(seconds))
    seek.setAttribute('aria-valuetext', `${text} of ${formatTime(length)}`)
  })
  follow(list, player, {
    turns,
    places,
    onMove: (turn, word) => {
      const moved = (word && rangeOf(list, word)) ?? turnElement(list, turn)
      if (follows?.checked && moved && !isInSight(moved.getBoundingClientRect())) scrollTo(moved)
    },
  })

  media.addEventListener('click', player.toggle)
  again.addEventListener('click', player.reload)
  button.addEventListener('click', player.toggle)
  speed.addEventListener('change', () => player.setRate(Number(speed.value)))
  seek.addEventListener('input', () => player.seek(Number(seek.value)))
  seek.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    player.skip(by * STEP_SECONDS)
  })
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    const skip = event.target.closest<HTMLElement>('[data-skip]')
    if (skip) return player.skip(Number(skip.dataset['skip']))
    const moment = event.target.closest<HTMLElement>('button[data-at], a[data-at]')
    if (moment) {
      event.preventDefault()
      player.playFrom(Number(moment.dataset['at']))
    }
  })
  list.addEventListener('click', (event) => {
    if (getSelection()?.isCollapsed === false) return
    const letter = letterAt(event.clientX, event.clientY)
    const isText = event.target instanceof Element && event.target.closest('[data-turn-text]')
    const place = isText && letter && placeInTurn(places, letter.turn, letter.offset)
    if (place) player.playFrom(place.startMs / 1000)
  })
  return player
}

/** Draws as many bars as there is room for; answers what moves the playhead. */
function drawWave(length: number): (share: number) => void {
  const svg = one<SVGSVGElement>('wave')
  const numbers = (name: string) =>
    (svg?.dataset[name] ?? '').split(' ').filter(Boolean).map(Number)
  const peaks = numbers('peaks')
  const lanes = numbers('lanes')
  let share = 0
  let bars: { at: number; shape: SVGElement }[] = []
  let width = 0
  /** What is drawn: where the playhead is, and how many bars as played. */
  let playhead = -1
  let played = 0
  const make = (name: string, values: Record<string, string | number>) => {
    const shape = document.createElementNS(SVG, name)
    for (const [key, value] of Object.entries(values)) shape.setAttribute(key, String(value))
    return shape
  }
  const line = make('path', { class: 'stroke-playhead', 'stroke-width': 2.5, d: 'M0 4V60' })
  const dot = make('circle', { class: 'fill-playhead', r: 5, cy: 7 })
  const move = () => {
    // Half a pixel is many pictures of the screen: nothing is drawn anew for less.
    const x = Math.round(share * width * 2) / 2
    if (x === playhead) return
    playhead = x
    line.setAttribute('d', `M${x} 4V60`)
    dot.setAttribute('cx', String(x))
    const now = bars.filter(({ at }) => at <= share).length
    for (const { shape } of bars.slice(Math.min(played, now), Math.max(played, now)))
      shape.setAttribute('opacity', now > played ? '1' : '0.42')
    played = now
  }
  const draw = () => {
    width = svg?.clientWidth ?? 0
    const count = Math.max(1, Math.floor(width / SLOT_PX))
    bars = Array.from({ length: count }, (_, index) => {
      const at = (index + 0.5) / count
      const most = Math.max(
        0,
        ...peaks.slice(
          Math.floor((index * peaks.length) / count),
          Math.max(
            Math.floor(((index + 1) * peaks.length) / count),
            Math.floor((index * peaks.length) / count) + 1,
          ),
        ),
      )
      const tall = Math.max(3, Math.round((most / 100) * TALL_PX))
      const lane = lanes[Math.floor(at * lanes.length)] ?? 8
      const shape = make('rect', {
        x: at * width - 2,
        y: 32 - tall / 2,
        width: 4,
        height: tall,
        rx: 2,
        opacity: 0.42,
        class: lane < 8 ? 'fill-speaker-lane' : 'fill-line',
        ...(lane < 8 ? { 'data-speaker': lane } : {}),
      })
      return { at, shape }
    })
    playhead = -1
    played = 0
    svg?.replaceChildren(...bars.map(({ shape }) => shape), line, dot)
    move()
  }
  if (svg && length > 0) new ResizeObserver(draw).observe(svg)
  return (to) => {
    share = to
    move()
  }
}

function startSearch(list: HTMLElement): void {
  const field = one<HTMLInputElement>('search')
  const said = one<HTMLElement>('found')
  if (!field || !said) return
  // Folded when something is looked for: there may be hours of text.
  let folded: Folded[] | undefined
  const marks = createNearMarks()
  marks.watch(list.children)
  let found: Hit[] = []
  let place = -1

  const go = (to: number) => {
    place = found.length === 0 ? -1 : (to + found.length) % found.length
    const now = found[place]
    said.textContent =
      field.value.trim() === ''
        ? ''
        : now
          ? `${place + 1} of ${found.length.toLocaleString('en-US')}`
          : 'Nothing found'
    mark('hit-now', list, now ? [now] : [])
    if (now) turnElement(list, now.turn)?.scrollIntoView({ block: 'center' })
  }
  const find = () => {
    folded ??= [...list.querySelectorAll('[data-turn-text]')].map((text) => fold(text.textContent))
    found = findIn(folded, field.value)
    marks.set('hit', found)
    go(0)
  }
  field.addEventListener('input', find)
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') go(place + (event.shiftKey ? -1 : 1))
    if (event.key === 'Escape') {
      field.value = ''
      find()
    }
  })
}
