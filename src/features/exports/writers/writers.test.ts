import { expect, onTestFinished, test, vi } from 'vitest'

import { filesIn } from '#test/zip.ts'

import { paperOf } from '../paper.ts'
import { write as toAnalysis } from './analysis.ts'
import { write as toVttChapters } from './chapters.ts'
import { write as toCutlist } from './cutlist.ts'
import { write as toDocx } from './docx.ts'
import { write as toEdl } from './edl.ts'
import { write as toHtml } from './html.ts'
import { write as toJson } from './json.ts'
import { write as toMarkdown } from './md.ts'
import { write as toOtio } from './otio.ts'
import { write as toPodcast } from './podcast.ts'
import { write as toSrt } from './srt.ts'
import { write as toText } from './txt.ts'
import { write as toVtt } from './vtt.ts'
import type { Exported, Write } from './writer.ts'
import { write as toXml } from './xml.ts'
import { write as toYoutube } from './youtube.ts'

const turn = (speaker: number, startMs: number, endMs: number, text: string) => ({
  speaker,
  startMs,
  endMs,
  text,
  words: [],
})

/** A turn of one word. */
const at = (startMs: number, endMs: number, text: string) => ({
  ...turn(0, startMs, endMs, text),
  words: [{ text, startMs, endMs, confidence: null }],
})

const exported: Exported = {
  title: 'Field notes: 12',
  createdAt: new Date('2026-11-20T23:30:00Z'),
  recordedAt: '2026-09-01T20:02:00-07:00',
  language: 'en',
  translation: null,
  durationMs: 402_000,
  engine: 'openai',
  said: [turn(0, 0, 1000, 'We met | on <Tuesday>.'), turn(1, 60_000, 62_000, 'שלום & goodbye')],
  names: new Map([[1, 'Ben "B" <b>']]),
  speakers: true,
  times: true,
  doubt: { words: 50, inDoubt: 8 },
  note: 'About 1 word in 6 was in doubt when this was exported.',
  keyPoints: [
    { text: 'They met', at: 61.5 },
    { text: 'Nobody knows when', at: null },
  ],
  chapters: [],
  headings: [],
  captions: { profile: 'netflix', mend: false },
  markers: { at: 'turns', frameRate: '25' },
  lineNumbers: false,
  filmStart: null,
  recording: { name: 'Field notes: 12.mp4', isFilm: true },
  cuts: [],
  summary: null,
  summaryText: '',
  sections: [{ heading: 'Key points', lines: ['They met (1:01)'], isList: true }],
}

test('a file says on which day a recording was made, where that is known', () => {
  const unknown = { ...exported, recordedAt: null }
  expect(toHtml(exported)).toContain('Recorded Sep 1, 2026 · English')
  expect(toHtml(unknown)).not.toContain('Recorded')
  expect(paperOf(exported).facts[0]).toBe('Recorded Sep 1, 2026')
  expect(toJson(exported)).toContain(`"recordedAt": "${exported.recordedAt}"`)
  expect(toJson(unknown)).not.toContain('recordedAt')
})

test('the day of a recording is the same in a file of a server west of Greenwich', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('TZ', 'America/Los_Angeles')
  expect(new Date(0).getHours()).toBe(16)
  expect(paperOf(exported).facts[0]).toBe('Recorded Sep 1, 2026')
})

test('Markdown begins with fields that a YAML reader takes for what they are', () => {
  expect(toMarkdown(exported)).toMatch(
    [
      '---',
      'title: "Field notes: 12"',
      'date: 2026-09-01T20:02:00-07:00',
      'added: 2026-11-20T23:30:00Z',
      'language: "en"',
      'length: "6:42"',
      'speakers:',
      '  - "Speaker A"',
      String.raw`  - "Ben \"B\" <b>"`,
      'doubt: 0.16',
      '---',
      '',
      '# Field notes: 12',
      '',
      'English · 6:42 · written by a speech server · About 1 word in 6 was in doubt when this was exported.',
    ].join('\n'),
  )
  const { doubt: _doubt, ...unasked } = exported
  expect(toMarkdown({ ...unasked, speakers: false })).not.toMatch(/speakers:|doubt:/)
  expect(toMarkdown({ ...exported, doubt: null })).toMatch(/^doubt: null$/m)
})

test('the day on which a recording was added is not given as its day', () => {
  const text = toMarkdown({ ...exported, recordedAt: null })
  expect(text).not.toMatch(/^date:/m)
  expect(text).toMatch(/^added: 2026-11-20T23:30:00Z$/m)
})

test('HTML is one page without a script, and what was said is text in it', () => {
  const page = toHtml(exported)
  expect(page).toContain('<h1>Field notes: 12</h1>')
  expect(page).toContain('<p class="said">We met | on &lt;Tuesday&gt;.</p>')
  expect(page).toContain('<strong>Ben &quot;B&quot; &lt;b&gt;</strong>')
  expect(page).toContain('<time datetime="PT0H1M0S">00:01:00</time>')
  expect(page).toContain('<p class="said" dir="rtl">שלום &amp; goodbye</p>')
  expect(page).toContain('<ul>\n<li>They met (1:01)</li>\n</ul>')
  expect(page).not.toMatch(/<script|https?:/)
  const bare = toHtml({ ...exported, speakers: false, times: false })
  expect(bare).not.toMatch(/class="who"|<time/)
})

test('in Word a paragraph begins with its time, and an only voice has a name', async () => {
  const alone = { ...exported, said: [turn(0, 5000, 6000, 'Alone')], names: new Map() }
  const docx = Buffer.from(await toDocx(alone))
  const body = filesIn(docx)
    .get('word/document.xml')!
    .replace(/<[^>]+>/g, '')
  expect(body).toContain('00:00:05  Speaker AAlone')
  expect(toHtml(alone)).not.toContain('Speaker A')
})

test('in HTML the summary and the chapters of a translation say in which language they are', () => {
  const translation = { from: 'en', note: '' }
  const chapters = [{ title: 'How it began', startMs: 0 }]
  const page = toHtml({ ...exported, language: 'de', translation, headings: chapters })
  expect(page).toContain('<li lang="en">They met (1:01)</li>')
  expect(page).toContain('<h3 lang="en">How it began</h3>')
  expect(page).toContain('<p class="said">We met')
  expect(toHtml(exported)).toContain('<li>They met (1:01)</li>')
})

test('an EDL has an event of one frame for each marker, from one hour on', () => {
  const markers = { at: 'turns', frameRate: '29.97df' } as const
  expect(toEdl({ ...exported, markers })).toBe(
    [
      'TITLE: Field notes: 12',
      'FCM: DROP FRAME',
      '',
      '001  001      V     C        01:00:00;00 01:00:00;01 01:00:00;00 01:00:00;01',
      'We met / on <Tuesday>. |C:ResolveColorBlue |M:Speaker A |D:30',
      '',
      '002  001      V     C        01:00:59;28 01:00:59;29 01:00:59;28 01:00:59;29',
      'שלום & goodbye |C:ResolveColorPurple |M:Ben "B" <b> |D:60',
      '',
      '',
    ].join('\r\n'),
  )
})

test('in an EDL no note can be taken for the next event', () => {
  const texts = ['10 people came', '* a star', 'Title: none', 'FROM CLIP NAME: x', 'We met']
  const said = texts.map((text, index) => turn(0, index * 1000, index * 1000 + 500, text))
  const notes = toEdl({ ...exported, said }).match(/^.* \|C:/gm)
  expect(notes).toEqual([
    '– 10 people came |C:',
    '– * a star |C:',
    '– Title: none |C:',
    '– FROM CLIP NAME: x |C:',
    'We met |C:',
  ])
})

test('Markdown shows what stands for a sign as it was said', () => {
  const said = [turn(0, 0, 1000, 'Write &copy; or &lt; or &#169; & more')]
  expect(toMarkdown({ ...exported, said })).toContain(
    String.raw`Write \&copy; or \&lt; or \&#169; & more`,
  )
})

test('XML has a sequence with a marker for each key point that has a time', () => {
  const markers = { at: 'key_points', frameRate: '23.976' } as const
  const xml = toXml({ ...exported, markers })
  expect(xml.match(/<marker>/g)).toHaveLength(1)
  expect(xml).toContain(
    '<name>They met</name>\n<comment>They met</comment>\n<in>1475</in>\n<out>1476</out>',
  )
  expect(xml).toContain('<rate><timebase>24</timebase><ntsc>TRUE</ntsc></rate>')
  const turns = toXml(exported)
  expect(turns).toContain(
    '<comment>We met | on &lt;Tuesday&gt;.</comment>\n<in>0</in>\n<out>25</out>',
  )
})

test('a film that begins at a timecode has all its times counted from there', () => {
  const film = { ...exported, filmStart: '10:00:00:00' }
  expect(toEdl(film)).toContain('10:00:00:00 10:00:00:01')
  expect(toXml(film)).toContain('<string>10:00:00:00</string>\n<frame>900000</frame>')
  expect(toXml(film)).toContain('<in>0</in>')
  const said = [at(5000, 6000, 'We met.')]
  expect(toSrt({ ...film, said })).toContain('10:00:05,000 --> 10:00:06,000')
  expect(toVtt({ ...film, said })).toContain('10:00:05.000 --> 10:00:06.000')
  // An hour of captions is an hour, also where timecode runs slow.
  const slow = {
    ...film,
    said,
    filmStart: '01:00:00:12',
    markers: { at: 'turns', frameRate: '23.976' },
  } as const
  expect(toSrt(slow)).toContain('01:00:05,500 -->')
  expect(toSrt({ ...exported, said })).toContain('00:00:05,000 -->')
  expect(toXml(exported)).toContain('<string>00:00:00:00</string>\n<frame>0</frame>')
})

test('text for analysis has a time, a name and what is said in each paragraph', () => {
  const said = [turn(0, 5_140, 6000, 'We met\nthere.'), turn(1, 220_560, 221_000, '10 came')]
  expect(toAnalysis({ ...exported, said })).toBe(
    '[00:00:05.1]Speaker A: We met there.\n\n[00:03:40.5]Ben "B" <b>: 10 came\n',
  )
  const one = [turn(0, 0, 1000, 'Alone')]
  expect(toAnalysis({ ...exported, said: one, names: new Map() })).toBe(
    '[00:00:00.0]Speaker A: Alone\n',
  )
  expect(toAnalysis({ ...exported, said: one, speakers: false })).toBe('[00:00:00.0]Alone\n')
})

test('no two markers are at the same frame', () => {
  const said = [turn(0, 0, 10, 'a'), turn(1, 5, 12, 'b')]
  expect(toXml({ ...exported, said }).match(/<in>\d+/g)).toEqual(['<in>0', '<in>1'])
})

/** Of formats that are text. */
function text(write: Write, what: Exported): string {
  const written = write(what)
  if (typeof written !== 'string') throw new Error('this format is no text')
  return written
}

const chaptered: Exported = {
  ...exported,
  sections: [],
  chapters: [
    { title: 'The <first> word', startMs: 1_000 },
    { title: 'Farewell', startMs: 61_000 },
    { title: 'After it', startMs: 300_000 },
  ],
}

test('YouTube gets a line for each chapter, the first at 0:00', () => {
  expect(toYoutube(chaptered)).toBe('0:00 The first word\n1:01 Farewell\n5:00 After it\n')
  const [first, ...rest] = chaptered.chapters
  const later = { ...chaptered, chapters: [{ ...first!, startMs: 30_000 }, ...rest] }
  expect(toYoutube(later)).toBe(
    '0:00 Field notes: 12\n0:30 The first word\n1:01 Farewell\n5:00 After it\n',
  )
})

test('chapters that YouTube would not show are refused', () => {
  const { chapters, durationMs } = chaptered
  for (const few of [
    chapters.slice(0, 2),
    [...chapters, { title: 'Close', startMs: 309_999 }],
    [...chapters, { title: 'Last', startMs: durationMs - 9_000 }],
  ])
    expect(() => toYoutube({ ...chaptered, chapters: few })).toThrow(/at least three chapters/)
})

test('chapters are cues of WebVTT that follow each other to the end', () => {
  expect(toVttChapters(chaptered)).toBe(
    [
      'WEBVTT',
      'NOTE\nTitle: Field notes: 12\nLanguage: en',
      '00:00:01.000 --> 00:01:01.000\nThe &lt;first&gt; word',
      '00:01:01.000 --> 00:05:00.000\nFarewell',
      '00:05:00.000 --> 00:06:42.000\nAfter it\n',
    ].join('\n\n'),
  )
})

test('chapters for podcast apps are JSON chapters 1.2', () => {
  expect(JSON.parse(text(toPodcast, chaptered))).toEqual({
    version: '1.2.0',
    title: 'Field notes: 12',
    chapters: [
      { startTime: 1, title: 'The <first> word' },
      { startTime: 61, title: 'Farewell' },
      { startTime: 300, title: 'After it' },
    ],
  })
})

test('chapters are headings ahead of the turns with which they begin, where they are wanted', () => {
  const [first, last] = exported.said
  const said = [{ ...first!, endMs: 5_000 }, last!]
  const headed = { ...chaptered, said, headings: chaptered.chapters }
  const plain = text(toText, headed)
  expect(plain).toContain('--- The <first> word (0:01) ---\n\n[00:00:00] Speaker A\nWe met')
  expect(plain).toMatch(/--- Farewell \(1:01\) ---\n\n--- After it \(5:00\) ---\n\n\[00:01:00\]/)
  expect(text(toMarkdown, headed)).toContain('## Farewell (1:01)')
  expect(text(toMarkdown, { ...headed, sections: exported.sections })).toContain('### Farewell')
  expect(toHtml(headed)).toContain('<h2>The &lt;first&gt; word</h2>')
  expect(toHtml({ ...headed, sections: exported.sections })).toContain('<h3>Farewell</h3>')
  expect(JSON.parse(text(toJson, headed))).toMatchObject({
    chapters: [{ start: 1 }, { title: 'Farewell', start: 61 }, { start: 300 }],
  })
  for (const write of [toText, toMarkdown, toHtml, toJson])
    expect(text(write, chaptered)).not.toContain('Farewell')
})

const cut = {
  ...exported,
  durationMs: 60_000,
  cuts: [
    { startMs: 1_000, endMs: 3_000 },
    { startMs: 50_000, endMs: 60_000 },
  ],
}

test('a list of cuts has an event for each stretch that stays, of the recording by its name', () => {
  expect(toCutlist(cut).split('\r\n')).toEqual([
    'TITLE: Field notes: 12',
    'FCM: NON-DROP FRAME',
    '',
    '001  AX       AA/V  C        00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00',
    '* FROM CLIP NAME: Field notes: 12.mp4',
    '',
    '002  AX       AA/V  C        00:00:03:00 00:00:50:00 01:00:01:00 01:00:48:00',
    '* FROM CLIP NAME: Field notes: 12.mp4',
    '',
    '',
  ])
  const sound = { ...cut, filmStart: '10:00:00;00', recording: { name: 'a.mp3', isFilm: false } }
  const markers = { at: 'turns', frameRate: '29.97df' } as const
  expect(toCutlist({ ...sound, markers })).toContain(
    'FCM: DROP FRAME\r\n\r\n001  AX       AA    C        10:00:00;00 10:00:01;00 10:00:00;00 10:00:01;00',
  )
})

test('a list of more events than three digits count says so', () => {
  const cuts = Array.from({ length: 999 }, (_, at) => ({
    startMs: 2_000 * at + 1_000,
    endMs: 2_000 * at + 2_000,
  }))
  const list = toCutlist({ ...cut, durationMs: 2_000_000, cuts })
  expect(list).toContain('\r\n1000  AX')
  expect(list).toContain('* More than 999 events')
  expect(toCutlist({ ...cut, cuts: cuts.slice(1) })).not.toContain('* More')
})

test('a timeline has the stretches that stay as clips, for picture and sound', () => {
  const time = (value: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate: 25, value })
  const range = (from: number, length: number) => ({
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: time(from),
    duration: time(length),
  })
  const children = [range(0, 25), range(75, 1_175)].map((source_range) => ({
    OTIO_SCHEMA: 'Clip.2',
    source_range,
    media_references: {
      DEFAULT_MEDIA: {
        target_url: 'Field%20notes%3A%2012.mp4',
        available_range: range(0, 1_500),
      },
    },
  }))
  const tracks = (of: object): { kind: string }[] =>
    (JSON.parse(toOtio({ ...cut, ...of })) as { tracks: { children: { kind: string }[] } }).tracks
      .children
  expect(tracks({})).toMatchObject([
    { kind: 'Video', children },
    { kind: 'Audio', children },
  ])
  const sound = tracks({ recording: { name: 'a.mp3', isFilm: false } })
  expect(sound.map(({ kind }) => kind)).toEqual(['Audio'])
  expect(JSON.parse(toOtio({ ...cut, filmStart: '00:00:10:00' }))).toMatchObject({
    global_start_time: time(250),
  })
})
