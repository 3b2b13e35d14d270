/**
 * Plays the recording of a shared page: wave and words follow, a press on a word is heard, and the
 * transcript is searched. It works on what share-page.tsx has written; words and finds are painted by
 * the browser's highlights, without an element for each.
 */
import { fold, placesOf } from '#shared/fold.ts'
import { formatTime } from '#shared/format.ts'

interface Word {
  at: number
  from: number
  to: number
}

const SKIP_SECONDS = 10
const STEP_SECONDS = 5
const SLOT_PX = 7
const TALL_PX = 40
const MARKED_MS = 2_000
/** A press so near to a word means it. */
const NEAR_PX = 24
const MOST_FOUND = 2_000
const SVG = 'http://www.w3.org/2000/svg'

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what it is, as querySelector does
const one = <Found extends Element>(name: string): Found | null =>
  document.querySelector<Found>(`[data-${name}]`)

export function startPlayer(): void {
  const list = one<HTMLElement>('turns')
  if (!list) return
  const turns = [...list.children].filter((turn) => turn instanceof HTMLElement)
  startSearch(turns)
  const media = one<HTMLMediaElement>('media')
  if (media) play(media, list, turns)
  else markWhereLinksLead()
}

const startOf = (turn: HTMLElement): number => Number(turn.dataset['at'])
const textOf = (turn: HTMLElement): HTMLElement | null => turn.querySelector('p')

const isCalm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

function show(turn: HTMLElement): void {
  const { top, bottom } = turn.getBoundingClientRect()
  if (top >= 80 && bottom <= innerHeight - 100) return
  turn.scrollIntoView({ block: 'center', behavior: isCalm() ? 'instant' : 'smooth' })
}

// ---- without a recording ----

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

// ---- with one ----

function play(media: HTMLMediaElement, list: HTMLElement, turns: HTMLElement[]): void {
  const button = one<HTMLButtonElement>('play')
  const seek = one<HTMLInputElement>('seek')
  const clock = one<HTMLElement>('clock')
  const controls = one<HTMLElement>('controls')
  const broken = one<HTMLElement>('broken')
  const again = one<HTMLButtonElement>('again')
  const speed = one<HTMLSelectElement>('speed')
  const follows = one<HTMLInputElement>('follow')
  if (!button || !seek || !clock || !controls || !broken || !again) return
  // The browser's own controls are for when there is no script.
  media.controls = false

  const length = Number(seek.max)
  const wave = drawWave(length)
  const words = new Map<HTMLElement, Word[]>()
  const starts = turns.map(startOf)
  let at = 0
  let isFetched = media.preload !== 'none'
  let turnNow: HTMLElement | undefined
  let wordNow: Word | undefined

  const wordsOf = (turn: HTMLElement): Word[] => {
    const known = words.get(turn)
    if (known) return known
    const read = readWords(textOf(turn)?.dataset['words'] ?? '', startOf(turn))
    words.set(turn, read)
    return read
  }
  const turnAt = (seconds: number) => turns[lastUpTo(starts, seconds + 0.05)]

  const mark = () => {
    const turn = turnAt(at) ?? turns[0]
    if (!turn) return
    const word = wordsOf(turn).findLast((each) => each.at <= at + 0.02)
    if (turn !== turnNow) {
      delete turnNow?.dataset['now']
      turn.dataset['now'] = ''
      turnNow = turn
      if (follows?.checked) show(turn)
    }
    if (word === wordNow) return
    wordNow = word
    const range = word && rangeOf(turn, word.from, word.to)
    if ('highlights' in CSS)
      if (range) CSS.highlights.set('now', new Highlight(range))
      else CSS.highlights.delete('now')
  }
  const draw = () => {
    wave(length > 0 ? Math.min(1, at / length) : 0)
    const text = formatTime(at)
    if (clock.textContent === text) return
    clock.textContent = text
    seek.value = String(Math.floor(at))
    seek.setAttribute('aria-valuetext', `${text} of ${formatTime(length)}`)
  }
  const follow = () => {
    at = media.currentTime
    draw()
    mark()
    if (!media.paused) requestAnimationFrame(follow)
  }
  const go = (seconds: number) => {
    at = Math.max(0, Math.min(length, seconds))
    if (isFetched) media.currentTime = at
    draw()
    mark()
  }
  const start = () => {
    if (!isFetched) {
      isFetched = true
      // The recording is not loaded yet, so the position is kept until it is.
      media.load()
      media.currentTime = at
    }
    // What goes wrong is told by the element.
    media.play().catch(() => undefined)
  }
  const toggle = () => (media.paused ? start() : media.pause())
  const playFrom = (seconds: number) => {
    go(seconds)
    start()
  }
  const say = (isBroken: boolean) => {
    broken.hidden = again.hidden = !isBroken
    controls.hidden = isBroken
    controls.classList.toggle('contents', !isBroken)
  }

  media.addEventListener('play', () => {
    button.dataset['playing'] = ''
    button.setAttribute('aria-label', 'Pause')
    requestAnimationFrame(follow)
  })
  media.addEventListener('pause', () => {
    delete button.dataset['playing']
    button.setAttribute('aria-label', 'Play')
  })
  media.addEventListener('error', () => say(true))
  // A video is fetched while the page is read, so it can fail before anybody listens.
  if (media.error) say(true)
  media.addEventListener('click', toggle)
  again.addEventListener('click', () => {
    say(false)
    isFetched = false
    start()
  })
  button.addEventListener('click', toggle)
  seek.addEventListener('input', () => go(Number(seek.value)))
  seek.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    go(at + by * STEP_SECONDS)
  })
  speed?.addEventListener('change', () => {
    media.playbackRate = Number(speed.value)
  })
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const key = event.key.toLowerCase()
    if (key === 'j') go(at - SKIP_SECONDS)
    else if (key === 'l') go(at + SKIP_SECONDS)
    else if (key === 'k' || (key === ' ' && !isPressed(event.target))) toggle()
    else return
    event.preventDefault()
  })
  document.addEventListener('click', (event) => {
    if (!(event.target instanceof Element)) return
    const skip = event.target.closest<HTMLElement>('[data-skip]')
    if (skip) return go(at + Number(skip.dataset['skip']))
    const moment = event.target.closest<HTMLElement>('button[data-at], a[data-at]')
    if (moment) {
      event.preventDefault()
      playFrom(Number(moment.dataset['at']))
    }
  })
  list.addEventListener('click', (event) => {
    if (getSelection()?.isCollapsed === false) return
    const turn = event.target instanceof Element && event.target.closest<HTMLElement>('li')
    const word = turn && textOf(turn)?.contains(event.target) && wordUnder(turn, event)
    if (word) playFrom(word.at)
  })

  /** The word that is meant: between two words or two lines the nearest. */
  function wordUnder(turn: HTMLElement, { clientX, clientY }: MouseEvent): Word | undefined {
    let nearest: Word | undefined
    let least = NEAR_PX
    for (const word of wordsOf(turn))
      for (const rect of rangeOf(turn, word.from, word.to)?.getClientRects() ?? []) {
        const aside = Math.max(rect.left - clientX, clientX - rect.right, 0)
        const above = Math.max(rect.top - clientY, clientY - rect.bottom, 0)
        const distance = Math.hypot(aside, above)
        if (distance < least) [nearest, least] = [word, distance]
      }
    return nearest
  }
}

function readWords(packed: string, start: number): Word[] {
  let place = -1
  let hundredths = Math.round(start * 100)
  return packed
    .split(',')
    .filter(Boolean)
    .map((word) => {
      const numbers = word.split(' ').map(Number)
      const [gap = 1, length = 0, step = 0] = numbers.length === 3 ? numbers : [1, ...numbers]
      const from = place + gap
      place = from + length
      hundredths += step
      return { at: hundredths / 100, from, to: place }
    })
}

function rangeOf(turn: HTMLElement, from: number, to: number): Range | undefined {
  const text = textOf(turn)?.firstChild
  if (!(text instanceof Text) || to > text.length) return undefined
  const range = document.createRange()
  range.setStart(text, from)
  range.setEnd(text, to)
  return range
}

/** Index of the last of ascending values that is not above the limit; -1 when all are above it. */
function lastUpTo(values: readonly number[], limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input:not([type=checkbox], [type=range]), select')

/** Whether Space presses it. */
const isPressed = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('button, a, summary, input')

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

// ---- search ----

function startSearch(turns: HTMLElement[]): void {
  const field = one<HTMLInputElement>('search')
  const said = one<HTMLElement>('found')
  if (!field || !said) return
  let found: { turn: HTMLElement; range: Range }[] = []
  let place = -1

  const paint = () => {
    if (!('highlights' in CSS)) return
    CSS.highlights.set('hit', new Highlight(...found.map(({ range }) => range)))
    const now = found[place]
    if (now) CSS.highlights.set('hit-now', new Highlight(now.range))
    else CSS.highlights.delete('hit-now')
  }
  const go = (to: number) => {
    place = found.length === 0 ? -1 : (to + found.length) % found.length
    const now = found[place]
    said.textContent =
      field.value.trim() === ''
        ? ''
        : now
          ? `${place + 1} of ${found.length === MOST_FOUND ? `${MOST_FOUND}+` : found.length}`
          : 'Nothing found'
    paint()
    if (now) now.turn.scrollIntoView({ block: 'center' })
  }
  field.addEventListener('input', () => {
    found = hitsIn(turns, field.value)
    go(0)
  })
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') go(place + (event.shiftKey ? -1 : 1))
    if (event.key === 'Escape') {
      field.value = ''
      found = []
      go(0)
    }
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || isTyping(event.target) || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    field.focus()
  })
}

function hitsIn(turns: HTMLElement[], wanted: string): { turn: HTMLElement; range: Range }[] {
  const found: { turn: HTMLElement; range: Range }[] = []
  for (const turn of turns)
    for (const place of placesOf(fold(textOf(turn)?.textContent ?? ''), wanted)) {
      const range = rangeOf(turn, ...place)
      if (range) found.push({ turn, range })
      if (found.length === MOST_FOUND) return found
    }
  return found
}
