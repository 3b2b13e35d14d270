/**
 * Plays the sample on the landing: the waveform and the words follow, and a click on a word is heard.
 * It works on what demo.tsx has written; the word that is heard is painted without an element of its
 * own, by the browser's highlights.
 */
import { formatTime } from '#shared/format.ts'
import { createPlayer } from '#web/player.ts'

/** Where the playhead stands at first. */
export const DEMO_START_SECONDS = 31

interface Word {
  at: number
  range: Range
}

interface Turn {
  element: HTMLElement
  words: Word[]
}

export function startDemo(): void {
  const demo = document.querySelector<HTMLElement>('[data-demo]')
  const audio = demo?.querySelector<HTMLAudioElement>('[data-demo-audio]')
  const play = demo?.querySelector<HTMLButtonElement>('[data-demo-play]')
  const seek = demo?.querySelector<HTMLInputElement>('[data-demo-seek]')
  const text = demo?.querySelector<HTMLElement>('[data-demo-text]')
  const time = demo?.querySelector<HTMLElement>('[data-demo-time]')
  const note = demo?.querySelector<HTMLElement>('[data-demo-note]')
  if (!demo || !audio || !play || !seek || !text || !time || !note) return

  const length = Number(seek.max)
  const wave = demo.querySelector('svg')
  const played = demo.querySelector('[data-wave-played]')
  const playhead = [...demo.querySelectorAll('[data-wave-playhead]')]
  // The browser's own controls are for when there is no script.
  audio.controls = false
  const player = createPlayer({ media: audio, duration: length })
  player.seek(DEMO_START_SECONDS)

  const draw = (at: number) => {
    const x = ((at / length) * (wave?.viewBox.baseVal.width ?? 0)).toFixed(2)
    played?.setAttribute('width', x)
    for (const stroke of playhead)
      stroke.setAttribute('d', (stroke.getAttribute('d') ?? '').replace(/^M\S+/, `M${x}`))
    seek.value = String(at)
    seek.setAttribute('aria-valuetext', `${Math.floor(at)} seconds of ${formatTime(length)}`)
    time.textContent = formatTime(at)
  }

  // The words are read only when they are needed, so that the page loads faster.
  let turns: Turn[] | undefined
  const allTurns = () => (turns ??= readTurns(text))

  let wordNow: Word | undefined
  const mark = (at: number) => {
    const turn = allTurns().findLast(({ words }) => (words[0]?.at ?? 0) <= at) ?? allTurns()[0]
    const word = turn?.words.findLast((one) => one.at <= at)
    if (!turn || word === wordNow) return
    wordNow = word
    // Removes the mark that stood there before anything was played.
    for (const old of text.querySelectorAll('.marked')) old.classList.remove('marked')
    if ('highlights' in CSS && word) CSS.highlights.set('now', new Highlight(word.range))
    show(text, turn.element)
  }

  player.onTick((at) => {
    draw(at)
    if (at !== DEMO_START_SECONDS) mark(at)
  })
  player.subscribe(() => {
    const { isPlaying, isBroken } = player.getState()
    play.toggleAttribute('data-playing', isPlaying)
    play.setAttribute('aria-label', `${isPlaying ? 'Pause' : 'Play'} the sample`)
    if (isBroken) note.textContent = 'The sample could not load. The text is all here.'
  })
  play.addEventListener('click', player.toggle)
  seek.addEventListener('input', () => player.seek(Number(seek.value)))
  text.addEventListener('click', (event) => {
    const word = wordAt(allTurns(), event)
    if (word && getSelection()?.isCollapsed !== false) player.playFrom(word.at)
  })
  for (const link of document.querySelectorAll('[data-demo-start]'))
    link.addEventListener('click', (event) => {
      event.preventDefault()
      // The first press plays it from the beginning, a later one goes on.
      if (audio.played.length === 0) player.playFrom(0)
      else if (audio.paused) player.toggle()
      demo.scrollIntoView({ block: 'nearest' })
    })

  // Measured in the next frame, because measuring now would make the browser lay out the page
  // twice.
  requestAnimationFrame(() => {
    const marked = text.querySelector<HTMLElement>('[data-demo-turn]:has(.marked)')
    if (marked) text.scrollTop = marked.offsetTop
  })
}

function readTurns(text: HTMLElement): Turn[] {
  return [...text.querySelectorAll<HTMLElement>('[data-demo-turn]')].map((element) => {
    const paragraph = element.querySelector('p')
    let hundredths = 0
    const starts = (element.dataset['demoTurn'] ?? '')
      .split(' ')
      .map((step) => (hundredths += Number(step)) / 100)
    const words: Word[] = []
    const walker = document.createTreeWalker(paragraph ?? element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      for (const match of (node.textContent ?? '').matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(node, match.index)
        range.setEnd(node, match.index + match[0].length)
        words.push({ at: starts[words.length] ?? 0, range })
      }
    return { element, words }
  })
}

/** The word under the pointer, if it is on one. */
function wordAt(turns: Turn[], { clientX, clientY }: MouseEvent): Word | undefined {
  return turns
    .flatMap(({ words }) => words)
    .find(({ range }) =>
      [...range.getClientRects()].some(
        ({ left, right, top, bottom }) =>
          clientX >= left && clientX <= right && clientY >= top && clientY <= bottom,
      ),
    )
}

/** Scrolls the text alone, never the page. */
function show(text: HTMLElement, turn: HTMLElement): void {
  const isSeen =
    turn.offsetTop >= text.scrollTop &&
    turn.offsetTop + turn.offsetHeight <= text.scrollTop + text.clientHeight
  if (isSeen) return
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  text.scrollTo({ top: turn.offsetTop, behavior: isCalm ? 'instant' : 'smooth' })
}
