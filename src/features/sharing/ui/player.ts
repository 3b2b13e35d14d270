/**
 * Plays the recording of a shared page: wave and words follow, a press on a word is heard, and the
 * transcript is searched. Player, marks and keys are those of a result; here they work on what
 * share-page.tsx has written.
 */
import { type Hit, findIn } from '#features/result/ui/find/find.ts'
import { readingAct } from '#features/result/ui/keys/keys.ts'
import { actOfKey } from '#features/result/ui/keys/single-keys.ts'
import { onCaptions, showCaptions } from '#features/result/ui/player/caption-switch.ts'
import { follow, isInSight, scrollTo, turnElement } from '#features/result/ui/reading/following.ts'
import { createNearMarks, letterAt, mark, rangeOf } from '#features/result/ui/reading/highlights.ts'
import { captions } from '#features/result/ui/settings.ts'
import { placeInTurn, placesOf, turnIndexAt } from '#features/text/ui/word-places.ts'
import { type Folded, fold } from '#shared/fold.ts'
import { formatTime } from '#shared/format.ts'
import { type Player, changeSpeed, createPlayer } from '#web/player.ts'
import { tellHeight } from '#web/tell-height.ts'
import { startWave } from '#web/ui/wave.ts'

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- says what it is, as querySelector does
const one = <Found extends Element>(name: string): Found | null =>
  document.querySelector<Found>(`[data-${name}]`)

export function startPlayer(): void {
  // A made file stands without a text.
  const list = one<HTMLElement>('turns')
  if (list) startSearch(list)
  const media = one<HTMLMediaElement>('media')
  const player = media && play(media, list)
  if (list) {
    goToAsked(list, player)
    addEventListener('hashchange', () => goToAsked(list, player))
  }
  document.addEventListener('keydown', (event) => {
    const act = actOfKey(event, readingAct)
    if (act?.kind === 'search') one<HTMLElement>('search')?.focus()
    // Where nothing is played, Space scrolls.
    else if (!player) return
    else if (act?.kind === 'toggle') player.toggle()
    else if (act?.kind === 'skip') player.skip(act.seconds)
    else if (act?.kind === 'speed') changeSpeed(player, act.steps)
    else return
    event.preventDefault()
  })
}

/** Goes to the moment that the address names: `#t=26.4`. */
function goToAsked(list: HTMLElement, player: Player | null): void {
  const asked = /^#t=([\d.]+)/.exec(location.hash)?.[1]
  if (asked === undefined) return
  const turns = [...list.querySelectorAll<HTMLElement>('[data-turn]')]
  const starts = turns.map((turn) => ({ start: Number(turn.dataset['at']) }))
  const turn = turns[turnIndexAt(starts, Number(asked))]
  player?.seek(Number(asked))
  if (turn) scrollTo(turn)
}

function play(media: HTMLMediaElement, list: HTMLElement | null): Player | null {
  const button = one<HTMLButtonElement>('play')
  const slider = one<HTMLInputElement>('seek')
  const svg = one<SVGSVGElement>('wave')
  const clock = one<HTMLElement>('clock')
  const controls = one<HTMLElement>('controls')
  const broken = one<HTMLElement>('broken')
  const again = one<HTMLButtonElement>('again')
  const speed = one<HTMLSelectElement>('speed')
  const film = one<HTMLElement>('film')
  if (!button || !slider || !svg || !clock || !controls || !broken || !again || !speed) return null
  // The browser's own controls are for when there is no script.
  media.controls = false

  const length = Number(slider.max)
  const player = createPlayer({ source: media.src, duration: length, media })

  player.subscribe(() => {
    const { isPlaying, isBroken, picture, rate } = player.getState()
    button.toggleAttribute('data-playing', isPlaying)
    button.setAttribute('aria-label', isPlaying ? 'Pause' : 'Play')
    broken.hidden = again.hidden = !isBroken
    controls.hidden = isBroken
    controls.classList.toggle('contents', !isBroken)
    film?.toggleAttribute('data-failed', picture === 'failed')
    speed.value = String(rate)
  })
  // A video is fetched while the page is read, so it can fail before anybody listens.
  if (media.error) player.reload()

  if (film) startFilm(film, media as HTMLVideoElement)

  // As many as the page has written; those of nobody have none of the eight colours.
  const lanes = numbersIn(svg, 'lanes').map((lane) => (lane < 8 ? lane : null))
  startWave(
    { svg, slider },
    {
      player,
      duration: length,
      peaks: numbersIn(svg, 'peaks'),
      lanesOf: (count) =>
        Array.from(
          { length: count },
          (_, bar) => lanes[Math.floor(((bar + 0.5) / count) * lanes.length)] ?? null,
        ),
    },
  )
  player.onTick((seconds) => {
    const text = formatTime(seconds)
    if (clock.textContent !== text) clock.textContent = text
  })
  if (list) startFollowing(list, player)

  media.addEventListener('click', player.toggle)
  again.addEventListener('click', player.reload)
  button.addEventListener('click', player.toggle)
  speed.addEventListener('change', () => player.setRate(Number(speed.value)))
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
  return player
}

/** Marks the word that is said, and plays one that is pressed. */
function startFollowing(list: HTMLElement, player: Player): void {
  const follows = one<HTMLInputElement>('follow')
  const turns = [...list.querySelectorAll<HTMLElement>('[data-turn]')].map((turn) => ({
    start: Number(turn.dataset['at']),
    words: [...turn.querySelectorAll('p')].flatMap((text) => numbersIn(text, 'words')),
  }))
  const places = placesOf(turns)
  follow(list, player, {
    turns,
    places,
    onMove: (turn, word) => {
      const moved = (word && rangeOf(list, word)) ?? turnElement(list, turn)
      if (follows?.checked && moved && !isInSight(moved.getBoundingClientRect())) scrollTo(moved)
    },
  })
  list.addEventListener('click', (event) => {
    if (getSelection()?.isCollapsed === false) return
    const letter = letterAt(event.clientX, event.clientY)
    const isText = event.target instanceof Element && event.target.closest('[data-turn-text]')
    const place = isText && letter && placeInTurn(places, letter.turn, letter.offset)
    if (place) player.playFrom(place.startMs / 1000)
  })
}

/** Shows captions as this browser keeps it, and tells the page how much of it the picture covers. */
function startFilm(film: HTMLElement, screen: HTMLVideoElement): void {
  const isStuck = () => getComputedStyle(film).position === 'sticky'
  const heightOf = () => (isStuck() ? film.offsetHeight : 0)
  // It does not stick while this is said in its place.
  tellHeight('--picture-height', film, heightOf, one('no-picture'))
  // Nothing else is above it.
  document.documentElement.style.setProperty('--covered-top', '24px')

  const button = one<HTMLButtonElement>('captions')
  if (!button) return
  const isPressed = () => button.ariaPressed === 'true'
  const press = (isShown: boolean) => button.setAttribute('aria-pressed', String(isShown))
  press(captions.isOn())
  button.addEventListener('click', () => showCaptions(screen, !isPressed()))
  onCaptions(screen, (isShown) => {
    captions.set(isShown)
    press(isShown)
  })
  // Their file is made when it is asked for, so that a visitor who only reads costs none.
  screen.addEventListener('play', () => showCaptions(screen, isPressed()), { once: true })
}

/** The numbers that the page has written into an attribute. */
const numbersIn = (element: HTMLElement | SVGElement, name: string): number[] =>
  (element.dataset[name] ?? '').split(' ').filter(Boolean).map(Number)

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
