import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { Turn } from '#features/speech/contract.ts'
import { wordsIn } from '#shared/written.ts'

import { profileFor, standardProfile } from './caption-profiles.ts'
import { checkCues } from './check-cues.ts'
import { buildCues, type Cue, toSrt, toVtt, widthOf } from './cues.ts'
import { mendCues } from './mend-cues.ts'

/**
 * A turn from a script: words take 60 ms a letter and follow each other at once, numbers are pauses
 * in ms.
 */
function said(
  script: string,
  { speaker = 0, fromMs = 0 }: { speaker?: number | null; fromMs?: number } = {},
): Turn {
  let at = fromMs
  const words = script.split(' ').flatMap((token) => {
    if (/^\d+$/.test(token)) {
      at += Number(token)
      return []
    }
    const startMs = at
    at += 60 * token.length
    return [{ text: token, startMs, endMs: at, confidence: 0.9 }]
  })
  const text = words.map((word) => word.text).join(' ')
  return { speaker, startMs: words[0]!.startMs, endMs: at, words, text }
}
const linesOf = (cues: Cue[]) => cues.map(({ lines }) => lines)
const timesOf = (cues: Cue[]) => cues.map(({ startMs, endMs }) => [startMs, endMs])
/** One cue of words with these times. */
const at = (startMs: number, endMs: number, text = 'Yes.'): Turn => ({
  speaker: null,
  startMs,
  endMs,
  text,
  words: [{ text, startMs, endMs, confidence: null }],
})

describe('a cue', () => {
  test('begins anew when somebody else speaks and after a pause', () => {
    const cues = buildCues([
      said('We begin now. 600 Then we go.'),
      said('No.', { speaker: 1, fromMs: 3000 }),
    ])
    expect(linesOf(cues)).toEqual([['We begin now.'], ['Then we go.'], ['No.']])
    expect(cues.map(({ speaker }) => speaker)).toEqual([0, 0, 1])
  })

  test('of a reply is shown when it is said, also where the other goes on speaking', () => {
    const turns = [
      said(
        'We begin with the bill of last month and then look at what it does to the plan. 300 So it is the rent that went up again and nobody told us about it before today. 300 We ask them on Monday.',
      ),
      said('Yes, I saw that letter too.', { speaker: 1, fromMs: 5000 }),
    ]
    for (const cues of [buildCues(turns), mendCues(turns)]) {
      expect(cues.flatMap(({ words }) => words)).toHaveLength(46)
      const lateMs = cues.map(({ startMs, words }) => startMs - words[0]!.startMs)
      expect(Math.max(...lateMs)).toBeLessThan(1000)
      expect(Math.min(...cues.map((cue) => cue.endMs - cue.startMs))).toBeGreaterThan(800)
    }
  })

  test('ends with its speaker also where nobody is named', () => {
    const turns = [said('We begin.'), said('No.', { speaker: 1, fromMs: 900 })]
    const cues = buildCues(turns, { hasNames: false })
    expect(linesOf(cues)).toEqual([['We begin.'], ['No.']])
    expect(cues.map(({ name, label }) => [name, label])).toEqual([
      [null, null],
      [null, null],
    ])
  })

  test('runs on over a shorter pause', () => {
    expect(linesOf(buildCues([said('We begin now. 590 Then we go.')]))).toEqual([
      ['We begin now. Then we go.'],
    ])
  })

  test('that is short is shown for five sixths of a second', () => {
    const cues = buildCues([at(1000, 1200), at(5000, 5200)])
    expect(timesOf(cues)).toEqual([
      [1000, 1834],
      [5000, 5834],
    ])
  })

  test('that is read slowly stays until it can have been read', () => {
    const text = 'Forty-two characters take over two seconds'
    expect(timesOf(buildCues([at(0, 1000, text)]))).toEqual([[0, (text.length / 20) * 1000]])
  })

  test('gives way to the next one two frames before it', () => {
    expect(timesOf(buildCues([at(0, 300), at(900, 1200)]))[0]).toEqual([0, 816])
  })

  test('closes a gap in which nothing would be seen', () => {
    const turns = [at(0, 1000), at(1600, 2600), at(3200, 4200), at(4800, 5800)]
    for (const turn of turns) turn.words[0]!.endMs += 150
    const cues = buildCues(turns, { profile: { ...standardProfile, pauseMs: 400 } })
    expect(timesOf(cues)).toEqual([
      [0, 1516],
      [1600, 3116],
      [3200, 4716],
      [4800, 5950],
    ])
  })

  test('leaves a gap of half a second as it is', () => {
    const firstOf = (turns: Turn[]) => timesOf(buildCues(turns))[0]
    const reply = { ...at(1500, 2600), speaker: 1 }
    expect(firstOf([at(0, 1000), reply])).toEqual([0, 1000])
    expect(firstOf([at(0, 1001), reply])).toEqual([0, 1416])
  })

  test('ends with the recording', () => {
    const text = 'Forty-two characters take over two seconds'
    expect(timesOf(buildCues([at(8000, 9000, text)], { endMs: 9200 }))).toEqual([[8000, 9200]])
  })

  test('is never shown for more than seven seconds', () => {
    expect(timesOf(buildCues([at(0, 60_000)]))).toEqual([[0, 7000]])
    const slow = said(
      'one 500 two 500 three 500 four 500 five 500 six 500 seven 500 eight 500 nine 500 ten 500 end',
    )
    expect(buildCues([slow]).length).toBeGreaterThan(1)
  })

  test('waits for one that can only just be seen', () => {
    const [first, second] = buildCues([
      { ...at(1000, 1100), speaker: 0 },
      { ...at(1110, 1900), speaker: 1 },
    ])
    expect([first!.startMs, first!.endMs]).toEqual([1000, 1200])
    expect(second!.startMs).toBe(1284)
  })

  test('rounds times to whole milliseconds and carries them', () => {
    const cues = buildCues([at(59_999.6, 61_000.4)])
    expect(timesOf(cues)).toEqual([[60_000, 61_000]])
    expect(toSrt(cues)).toContain('00:01:00,000 --> 00:01:01,000')
  })
})

describe('a break', () => {
  const broken = (script: string) => linesOf(buildCues([said(script)]))

  test('comes after a sentence, though more would fit', () => {
    expect(broken('I was at that meeting. We talked for almost an hour.')).toEqual([
      ['I was at that meeting.', 'We talked for almost an hour.'],
    ])
  })

  test('else comes after a clause', () => {
    expect(broken('If one person says no, we turn it all off at once')).toEqual([
      ['If one person says no,', 'we turn it all off at once'],
    ])
  })

  test('else before a conjunction or preposition', () => {
    expect(broken('They read the whole summary because something looked strange')).toEqual([
      ['They read the whole summary', 'because something looked strange'],
    ])
    expect(broken('Everybody remembers the long meeting in February')).toEqual([
      ['Everybody remembers the long meeting', 'in February'],
    ])
  })

  test.each([
    ['an article and its noun', 'Everybody remembered seeing yesterday the calendar', /\bthe$/m],
    ['first and last name', 'Everybody remembers having seen Maria Lopez yesterday', /Maria$/m],
    ['number and unit', 'Everybody remembers spending just about 40 minutes there', /40$/m],
    ['a title and its name', 'Everybody remembers yesterday seeing Mr. Dashwood there', /Mr\.$/m],
    [
      'a preposition and what it leads',
      'Everybody always thoroughly disliked of course Monday',
      /of$/m,
    ],
  ])('does not part %s', (_, script, parted) => {
    const cues = broken(script)
    expect(cues.flat().length).toBeGreaterThan(1)
    expect(cues.flat().join('\n')).not.toMatch(parted)
  })

  test('leaves no single word behind for a cue of its own', () => {
    const cues = broken(
      'She explained everything twice yesterday afternoon while nobody listened properly whatsoever sadly',
    )
    expect(cues).toHaveLength(2)
    expect(cues[1]!.join(' ').length).toBeGreaterThan(15)
  })

  test('falls inside a word only where a line is full of it', () => {
    const long = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerk'
    expect(broken(`a ${long} b`).flat()).toEqual([
      'a',
      'Donaudampfschifffahrtselektrizitätenhauptb',
      'etriebswerk b',
    ])
  })

  test('follows the times of the words, not their letters', () => {
    const uneven =
      'Slowly 500 now 500 said 500 words. Then a great many words were said as fast as anybody could ever say them all.'
    const cues = buildCues([said(uneven)])
    expect(cues[0]!.lines).toEqual(['Slowly now said words.'])
    expect(cues.length).toBeGreaterThan(1)
    for (const { startMs, words } of cues) expect(startMs).toBe(words[0]!.startMs)
  })
})

describe('a speaker', () => {
  const turns = [
    said('I am here.'),
    said('Still me.', { fromMs: 3000 }),
    said('And so am I.', { speaker: 1, fromMs: 6000 }),
    said('Someone else.', { speaker: null, fromMs: 9000 }),
  ]

  test('is named in SRT only where somebody else spoke before', () => {
    const names = new Map([[1, 'Maria\nLopez']])
    expect(toSrt(buildCues(turns, { names }))).toBe(
      [
        '1\n00:00:00,000 --> 00:00:01,050\nSpeaker A: I am here.\n',
        '2\n00:00:03,000 --> 00:00:03,834\nStill me.\n',
        '3\n00:00:06,000 --> 00:00:07,250\nMaria Lopez: And so am I.\n',
        '4\n00:00:09,000 --> 00:00:09,834\nSomeone else.\n\n',
      ].join('\n'),
    )
  })

  test('is a voice in every cue of WebVTT', () => {
    const names = new Map([[1, 'Lopez & <Sons>']])
    expect(toVtt(buildCues(turns, { names }))).toBe(
      [
        'WEBVTT\n',
        '00:00:00.000 --> 00:00:01.050\n<v Speaker A>I am here.\n',
        '00:00:03.000 --> 00:00:03.834\n<v Speaker A>Still me.\n',
        '00:00:06.000 --> 00:00:07.400\n<v Lopez &amp; &lt;Sons>And so am I.\n',
        '00:00:09.000 --> 00:00:09.834\nSomeone else.\n',
      ].join('\n'),
    )
  })

  test('takes no room where the format has a place for names', () => {
    const talk = [
      said('We talked for almost an hour there.'),
      said('So.', { speaker: 1, fromMs: 8000 }),
    ]
    expect(toVtt(buildCues(talk, { hasVoices: true }))).toContain(
      '\n<v Speaker A>We talked for almost an hour there.\n',
    )
  })

  test('whose name ends in two dashes makes no arrow in WebVTT', () => {
    const vtt = toVtt(buildCues(turns, { names: new Map([[1, '--']]) }))
    expect(vtt.match(/-->/g)).toHaveLength(4)
    expect(vtt).toContain('<v -- >And so am I.')
  })

  test('is not named where no other speaks, unless by hand', () => {
    const alone = [said('I am here.')]
    expect(toSrt(buildCues(alone))).not.toContain('Speaker')
    expect(toVtt(buildCues(alone))).not.toContain('<v')
    expect(toSrt(buildCues(alone, { names: new Map([[0, 'Maria']]) }))).toContain(
      'Maria: I am here.',
    )
  })

  test('counts in the length of the line', () => {
    const [cue] = buildCues([
      said('We talked for almost an hour there.'),
      said('So.', { speaker: 1, fromMs: 8000 }),
    ])
    expect(cue!.lines.length).toBe(2)
    expect(toSrt([cue!])).toMatch(/\nSpeaker A: We talked\b.*\n.*hour there\.\n/)
  })

  test('whose name leaves no room has a line to it', () => {
    const names = new Map([[0, 'Her Excellency the Ambassador of Somewhere']])
    const [cue] = buildCues([said('Unquestionably.'), said('So.', { speaker: 1, fromMs: 8000 })], {
      names,
    })
    const [, , label, text] = toSrt([cue!]).split('\n')
    expect(label).toBe('Her Excellency the Ambassador of Somewhe…:')
    expect(label).toHaveLength(42)
    expect(text).toBe('Unquestionably.')
  })
})

describe('what was said', () => {
  test('cannot end a cue, begin another or open a tag', () => {
    const evil = [
      at(0, 3000, 'a --> b\n\n2\n00:00:01,000 ---->> 00:00:02,000'),
      at(4000, 5000, '<b>&amp;</b>'),
      at(6000, 7000, '-->'),
    ]
    const cues = buildCues(evil)
    const srt = toSrt(cues)
    expect(srt.match(/-->/g)).toHaveLength(2)
    expect(srt.match(/\n\n/g)).toHaveLength(2)
    const vtt = toVtt(cues, { title: 'x --> y\n\nz', language: 'en' })
    expect(vtt).toMatch(/^WEBVTT\n\nNOTE\nTitle: x y z\nLanguage: en\n\n00:00:00\.000/)
    expect(vtt.match(/-->/g)).toHaveLength(2)
    expect(vtt).toContain('\n&lt;b&gt;&amp;amp;&lt;/b&gt;\n')
  })

  test('a text without words makes files without cues', () => {
    expect(toSrt(buildCues([]))).toBe('')
    expect(toVtt(buildCues([]))).toBe('WEBVTT\n')
  })

  test('beyond a hundred hours is written with as many digits as it takes', () => {
    expect(toSrt(buildCues([at(360_000_000, 360_001_000)]))).toContain(
      '100:00:00,000 --> 100:00:01',
    )
  })
})

/** Turns as wild as an engine or an editor could hand over: words at once, backwards, endless. */
const wildTurns = fc
  .array(
    fc.record({
      speaker: fc.option(fc.nat(2)),
      fromMs: fc.nat(20_000),
      words: fc.array(
        fc.record({
          text: fc.oneof(
            fc.constantFrom('the', 'and', 'of', 'I', 'yes,', 'no.', 'Maria', 'forty', '-->', ' '),
            fc.string({ maxLength: 12 }),
            fc.string({ unit: 'grapheme', maxLength: 60 }),
          ),
          gapMs: fc.oneof(fc.constant(0), fc.integer({ min: -200, max: 1500 })),
          lengthMs: fc.oneof(fc.constant(0), fc.nat(900), fc.nat(9000)),
        }),
        { maxLength: 40 },
      ),
    }),
    { maxLength: 8 },
  )
  .map((turns) =>
    turns.map(({ speaker, fromMs, words }): Turn => {
      let at = fromMs
      const timed = words.map(({ text, gapMs, lengthMs }) => {
        const startMs = Math.max(0, at + gapMs)
        at = startMs + lengthMs
        return { text, startMs, endMs: at, confidence: null }
      })
      return { speaker, startMs: fromMs, endMs: at, words: timed, text: '' }
    }),
  )
const wildNames = fc
  .array(fc.tuple(fc.nat(2), fc.string({ unit: 'grapheme', maxLength: 60 })))
  .map((pairs) => new Map(pairs))
/** The mark that says from which side a line is read is no letter: nobody sees it. */
const characters = (line: string) =>
  [...new Intl.Segmenter().segment(line.replaceAll('\u200f', ''))].length

/** An engine that answers letter by letter, or a whole sentence as one word. */
const letters = (text: string, ms = 130): Turn => {
  const words = [...new Intl.Segmenter().segment(text)].map(({ segment }, index) => ({
    text: segment,
    startMs: index * ms,
    endMs: (index + 1) * ms,
    confidence: null,
  }))
  return { speaker: null, startMs: 0, endMs: words.length * ms, text, words }
}
const oneWord = (text: string): Turn => at(0, 130 * text.length, text)

describe('in writings without spaces', () => {
  const japanese =
    '今日は新しい会議室の予約方法について皆さんに説明したいと思いますので資料をご覧ください'
  const thai = 'วันนี้เราจะพูดถึงการประชุมครั้งใหม่ของบริษัทและวิธีจองห้องประชุมใหม่ทั้งหมดสำหรับทุกคนในสำนักงาน'
  const cases = [
    ['ja', japanese, 13],
    ['zh', '今天我想向大家介绍一下我们新的会议室预订方法请大家看一下手里的资料', 16],
    ['ko', '오늘은 새로운 회의실 예약 방법에 대해서 여러분께 설명해 드리려고 합니다', 16],
    ['th', thai, 35],
  ] as const
  test.each(cases)(
    'captions of %s keep the lines of its guide, and break between words',
    (language, text, most) => {
      for (const name of ['netflix', 'bbc', 'plain'] as const)
        for (const build of [buildCues, mendCues])
          for (const turn of language === 'ko' ? [said(text)] : [letters(text), oneWord(text)]) {
            const profile = profileFor(name, language)
            const cues = build([turn], { profile })
            const lines = cues.flatMap((cue) => cue.lines)
            expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
            const ends = new Set<number>([0])
            let end = 0
            for (const word of wordsIn(text)) ends.add((end += word.length))
            let passed = 0
            for (const line of lines) {
              expect(widthOf(line, profile.isWide)).toBeLessThanOrEqual(most)
              passed += line.replaceAll(' ', '').length
              expect([line, ends.has(passed)]).toEqual([line, true])
            }
          }
    },
  )

  test('lines that are too long for the language are found, and letters are read more slowly', () => {
    const cue = {
      ...buildCues([at(0, 7000, 'x')])[0]!,
      endMs: 7000,
      lines: [japanese.slice(0, 20)],
    }
    const rules = checkCues([cue], profileFor('netflix', 'ja')).map(({ rule }) => rule)
    expect(rules).toContain('line_too_long')
    expect(checkCues([cue], profileFor('netflix', 'en'))).toEqual([])
    const fast = { ...cue, endMs: 2000, lines: [japanese.slice(0, 13), japanese.slice(13, 26)] }
    expect(checkCues([fast], profileFor('netflix', 'ja')).map(({ rule }) => rule)).toContain(
      'too_fast',
    )
    expect(widthOf('ABC社', true)).toBe(2.5)
  })
})

describe('what a player would not show', () => {
  test('angle brackets and braces of a style are written so that they are read', () => {
    const text = 'He said <inaudible> and {laughs} then wrote a < b in <strong> words {\\an8} so'
    const srt = toSrt(buildCues([said(text)]))
    expect(
      srt
        .replace(/\d.*-->.*|^\d+$/gm, '')
        .replace(/\s+/g, ' ')
        .trim(),
    ).toBe('He said ‹inaudible› and {laughs} then wrote a < b in ‹strong› words (\\an8) so')
  })

  test('lines of a language that is read from the right say so, whatever they begin with', () => {
    const cues = buildCues([at(0, 3000, 'iPhone'), at(4000, 6000, 'iPhone הוא מכשיר טוב, לא?')])
    for (const file of [toSrt(cues, { language: 'he' }), toVtt(cues, { language: 'he' })]) {
      expect(file).toContain('\u200fiPhone הוא מכשיר טוב, לא?')
      expect(file).toContain('\niPhone\n')
    }
    const two = { ...cues[1]!, lines: ['הוא מכשיר', 'iPhone 15'] }
    expect(toSrt([two], { language: 'he' })).toContain('\u200fהוא מכשיר\n\u200fiPhone 15')
    expect(toSrt(buildCues([at(0, 3000, 'Yes.')]), { language: 'en' })).not.toContain('\u200f')
  })
})

/** It fills a line to its 42 letters, of which the first is Hebrew: a mark of direction comes before it. */
const fullFromRight: Turn = {
  speaker: 0,
  startMs: 0,
  endMs: 0,
  text: '',
  words: ['! ! ! !!', '‰˒ ! !˒', 'יִ ! ! !', 'forty', '! ! ! !', 'the'].map((text) => ({
    text,
    startMs: 0,
    endMs: 0,
    confidence: null,
  })),
}

describe('whatever turns there are', () => {
  const holds = (check: (cues: Cue[], turns: Turn[]) => void) =>
    fc.assert(
      fc.property(wildTurns, wildNames, (turns, names) =>
        check(buildCues(turns, { names }), turns),
      ),
      { numRuns: 300, examples: [[[fullFromRight], new Map()]] },
    )

  test('cues are sorted, two frames apart, and end after they start', () => {
    holds((cues) => {
      for (const [index, { startMs, endMs }] of cues.entries()) {
        expect(Number.isInteger(startMs) && Number.isInteger(endMs)).toBe(true)
        expect(endMs).toBeGreaterThan(startMs)
        expect(endMs - startMs).toBeLessThanOrEqual(7000)
        expect(startMs).toBeGreaterThanOrEqual((cues[index - 1]?.endMs ?? -84) + 84)
      }
    })
  })

  test('every word stands in one cue, in the order of its turn', () => {
    holds((cues, turns) => {
      // Whether there is a space between two words is a matter of their script.
      const read = (texts: string[]) => texts.join(' ').replaceAll(/[\s\p{Cc}]+/gu, '')
      const saidIn = (turn: Turn) => read(turn.words.map(({ text }) => text.replace(/-{2,}>/g, '')))
      const sorted = (text: string) => [...text].toSorted().join('')
      const shown = read(cues.flatMap(({ lines }) => lines))
      expect(sorted(shown)).toBe(sorted(read(turns.map(saidIn))))
      expect(read(cues.flatMap((cue) => cue.words.map(({ text }) => text)))).toBe(shown)
      for (const turn of turns) {
        let at = 0
        for (const letter of saidIn(turn)) at = shown.indexOf(letter, at) + 1 || Infinity
        expect(at).toBeLessThan(Infinity)
      }
    })
  })

  test('no line is longer than 42 characters, and no cue has a third', () => {
    holds((cues) => {
      for (const cue of cues) {
        const [, , ...lines] = toSrt([cue]).trimEnd().split('\n')
        expect(lines.length).toBeLessThanOrEqual(2)
        for (const line of lines) expect(characters(line)).toBeLessThanOrEqual(42)
      }
    })
  })

  test('a cue that is read too fast ends as late as the next one lets it', () => {
    holds((cues) => {
      for (const [index, cue] of cues.entries()) {
        const [, , ...lines] = toSrt([cue]).trimEnd().split('\n')
        const lengthMs = cue.endMs - cue.startMs
        const isSlow = characters(lines.join(' ')) / (lengthMs / 1000) <= 20 && lengthMs >= 833
        const next = cues[index + 1]
        if (!isSlow && lengthMs < 7000) expect(next && next.startMs - cue.endMs).toBe(84)
      }
    })
  })

  test('two speakers share no cue, and no speaker is named twice in a row', () => {
    holds((cues) => {
      let last: number | null | undefined
      for (const { speaker, label } of cues) {
        if (speaker === last) expect(label).toBe(null)
        last = speaker
      }
    })
  })

  test('both formats have one arrow and one block per cue', () => {
    holds((cues) => {
      const srt = toSrt(cues)
      expect(
        srt.match(/^\d+\n\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}\n/gm) ?? [],
      ).toHaveLength(cues.length)
      expect(srt.split('-->')).toHaveLength(cues.length + 1)
      const vtt = toVtt(cues, { title: 'A title' })
      expect(vtt.split('-->')).toHaveLength(cues.length + 1)
      expect(vtt.split('\n\n')).toHaveLength(cues.length + 2)
      expect(vtt.endsWith('\n')).toBe(true)
    })
  })
})
