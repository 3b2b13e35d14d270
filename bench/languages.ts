/**
 * What becomes of an English recording in which another language is spoken for a part of the time?
 * Recordings of a samples folder are mixed with German, French, Spanish and Hindi by espeak-ng, piece
 * by piece, at 10, 30 and 60 % of the speech. Each mixture goes through the pipeline with the model
 * that is installed: how much of the other language is shown as English words, how much of the English
 * is not shown, and whether it is charged. Then twelve English recordings that must lose nothing: as
 * they are, over a telephone, in noise and from afar.
 *
 *     npm run bench -- languages --samples DIR [--models DIR] [--only NAME] [--json FILE]
 *
 * `--only` takes the beginning of a mixture's or a recording's name: `de-30`, `meeting`.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { creditsFor } from '#features/credits/contract.ts'
import type { Region } from '#features/speech/engines/engine.ts'
import { chooseEngine, type Engine, transcribe } from '#features/speech/speech.ts'
import { isOtherLanguage } from '#shared/other-language.ts'

import { decoded, encode } from './tools/audio.ts'
import { printFigures, printMachine, printTable } from './tools/report.ts'
import { readSamples } from './tools/samples.ts'
import { inMemory } from './tools/stages.ts'

const SHARES = [10, 30, 60] as const
const PER_MS = 32
const PAUSE_MS = 500
/** The English pieces are cut in so many, so that the languages change several times. */
const ENGLISH = ['dictation', 'lj', 'librivox-0870', 'librivox-0890', 'librivox-0920']
const PIECE_MS = 9000
const NOISE = 'anoisesrc=c=pink:r=16000:a=0.5:seed=7'
const TELEPHONE = ['-af', 'highpass=f=300,lowpass=f=3400', '-ar', '8000']

const sentences: Readonly<Record<string, { voices: readonly string[]; said: readonly string[] }>> =
  {
    de: {
      voices: ['de', 'de+f3', 'de+m3'],
      said: [
        'Guten Morgen zusammen, schön dass ihr alle da seid. Bevor wir anfangen, möchte ich kurz über den neuen Zeitplan sprechen.',
        'Wir haben letzte Woche gemerkt, dass die Lieferung aus Hamburg zwei Tage zu spät kommt, und deshalb müssen wir die Schulung verschieben.',
        'Hat jemand von euch schon mit der Buchhaltung gesprochen? Ich glaube, die Rechnung vom Oktober ist immer noch nicht bezahlt worden.',
        'Am Mittwoch gehen wir gemeinsam essen, und wer mitkommen will, schreibt bitte bis morgen Abend seinen Namen auf die Liste.',
        'Meine Großmutter hat früher in einem kleinen Dorf am Rand der Alpen gewohnt und jeden Tag frisches Brot gebacken.',
      ],
    },
    fr: {
      voices: ['fr', 'fr+f2', 'fr+m2'],
      said: [
        "Bonjour à tous, merci d'être venus ce matin. Avant de commencer, je voudrais parler rapidement du nouveau calendrier.",
        'Nous avons remarqué la semaine dernière que la livraison de Lyon arrive avec deux jours de retard, et nous devons donc déplacer la formation.',
        "Est-ce que quelqu'un a déjà parlé avec la comptabilité? Je crois que la facture du mois d'octobre n'est toujours pas payée.",
        'Mercredi nous allons manger ensemble, et ceux qui veulent venir écrivent leur nom sur la liste avant demain soir.',
        'Ma grand-mère habitait autrefois dans un petit village près de la mer et elle faisait du pain frais tous les jours.',
      ],
    },
    es: {
      voices: ['es', 'es+f4', 'es+m4'],
      said: [
        'Buenos días a todos, gracias por venir esta mañana. Antes de empezar quisiera hablar un momento del nuevo calendario.',
        'La semana pasada nos dimos cuenta de que el envío desde Sevilla llega con dos días de retraso, y por eso tenemos que cambiar la fecha del curso.',
        '¿Alguien ha hablado ya con contabilidad? Creo que la factura de octubre todavía no está pagada.',
        'El miércoles vamos a comer juntos, y quien quiera venir que escriba su nombre en la lista antes de mañana por la noche.',
        'Mi abuela vivía antes en un pueblo pequeño cerca de la montaña y hacía pan fresco todos los días.',
      ],
    },
    hi: {
      voices: ['hi', 'hi+f3', 'hi+m1'],
      said: [
        'आप सभी को सुप्रभात, आज सुबह आने के लिए धन्यवाद। शुरू करने से पहले मैं नए कार्यक्रम के बारे में थोड़ी बात करना चाहता हूँ।',
        'पिछले हफ्ते हमने देखा कि दिल्ली से सामान दो दिन देर से आ रहा है, इसलिए हमें प्रशिक्षण की तारीख बदलनी पड़ेगी।',
        'क्या किसी ने लेखा विभाग से बात की है? मुझे लगता है कि अक्टूबर का बिल अभी तक नहीं भरा गया है।',
        'बुधवार को हम सब साथ में खाना खाने जाएंगे, और जो आना चाहता है वह कल शाम तक सूची में अपना नाम लिख दे।',
        'मेरी दादी पहले पहाड़ों के पास एक छोटे गाँव में रहती थीं और हर दिन ताज़ी रोटी बनाती थीं।',
      ],
    },
  }

/** The name of a recording, and what is done to it. */
const untouched: readonly [name: string, how: 'clear' | 'telephone' | 'noise'][] = [
  ['conversation', 'clear'],
  ['phone-call', 'clear'],
  ['meeting-trn03', 'clear'],
  ['meeting-trn04', 'clear'],
  ['meeting-trn09', 'clear'],
  ['three-speakers', 'clear'],
  ['spliced-five', 'clear'],
  ['spk1-snt1', 'clear'],
  ['dictation', 'telephone'],
  ['three-speakers', 'telephone'],
  ['dictation', 'noise'],
  ['phone-call', 'noise'],
]

const { samples: given, modelsDir, json } = await readSamples()
const isWanted = (name: string) => given?.isWanted(name) ?? false
const samples = given?.names.includes('dictation.flac') ? given : null
printMachine()
if (samples === null)
  console.log('There is nothing to measure with: say --samples DIR (or QUOTH_SAMPLES).')
else if (!(await hasEspeak()))
  console.log('There is nobody who speaks other languages: apt-get install espeak-ng')
else await measureAll(samples.folder)

interface Piece {
  pcm: Buffer
  isOther: boolean
}

interface Heard {
  name: string
  /** Words that are shown for the time of the other language. */
  made: number
  /** Of the time of each language, how much is under a mark. */
  otherMarked: number
  englishMarked: number
  credits: number
}

async function measureAll(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'quoth-bench-'))
  const engine = await chooseEngine({ transcriber: 'auto', ...modelsDir })
  const ears = { engine, work }
  try {
    const all: Heard[] = []
    const english = (
      await Promise.all(ENGLISH.map((name) => piecesOf(join(folder, `${name}.flac`))))
    )
      .flat()
      .map((pcm): Piece => ({ pcm, isOther: false }))
    for (const language of Object.keys(sentences)) {
      const others = await spokenIn(language, work)
      for (const share of SHARES) {
        const name = `${language}-${share}`
        if (!isWanted(name)) continue
        const pieces = mixed(english, others, share / 100)
        all.push(await hear(ears, { name, pieces }))
      }
    }
    const clean: Heard[] = []
    for (const [recording, how] of untouched) {
      const name = `${recording} ${how}`
      if (!isWanted(name)) continue
      const path = join(work, `${recording}-${how}.flac`)
      await change(join(folder, `${recording}.flac`), path, how)
      clean.push(
        await hear(ears, { name, pieces: [{ pcm: await decoded(path), isOther: false }] }, path),
      )
    }
    if (json !== undefined) await writeFile(json, JSON.stringify({ all, clean }))
    report('English with a part in another language', all)
    report('English alone', clean)
    const kept = all.filter(({ credits }) => credits > 0)
    const sum = (some: readonly Heard[], of: (one: Heard) => number) =>
      some.reduce((total, one) => total + of(one), 0)
    printFigures('In all', [
      {
        what: 'words made up of the other language, in what is charged',
        figure: String(sum(kept, ({ made }) => made)),
      },
      {
        what: 'mixtures with most in another language that are charged',
        figure: String(kept.filter(({ name }) => name.endsWith('-60')).length),
        bar: '0',
        isMet: kept.every(({ name }) => !name.endsWith('-60')),
      },
      {
        what: 'English recordings with a mark, or refused',
        figure: String(
          clean.filter(({ englishMarked, credits }) => englishMarked > 0 || credits === 0).length,
        ),
        bar: '0',
        isMet: clean.every(({ englishMarked, credits }) => englishMarked === 0 && credits > 0),
      },
    ])
  } finally {
    await engine.close?.()
    await rm(work, { recursive: true, force: true })
  }
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}

function report(title: string, all: readonly Heard[]): void {
  const rows = all.map(({ name, made, otherMarked, englishMarked, credits }) => [
    name,
    credits === 0 ? 'refused' : String(made),
    credits === 0 ? '' : percent(otherMarked),
    credits === 0 ? '' : percent(englishMarked),
    String(credits),
  ])
  printTable(title, [
    ['', 'words made up', 'of the other language marked', 'of the English marked', 'credits'],
    ...rows,
  ])
}

async function hasEspeak(): Promise<boolean> {
  return promisify(execFile)('espeak-ng', ['--version']).then(
    () => true,
    () => false,
  )
}

/** A recording in pieces of some seconds; a rest that is short goes with the one before. */
async function piecesOf(path: string): Promise<Buffer[]> {
  const pcm = await decoded(path)
  const count = Math.max(1, Math.floor(pcm.length / PER_MS / PIECE_MS))
  const each = 2 * Math.ceil(pcm.length / 2 / count)
  return Array.from({ length: count }, (_, place) => pcm.subarray(place * each, (place + 1) * each))
}

async function spokenIn(language: string, work: string): Promise<Piece[]> {
  const { voices, said } = sentences[language] ?? { voices: [], said: [] }
  const pieces: Piece[] = []
  for (const [place, text] of said.entries()) {
    const path = join(work, `${language}-${place}.wav`)
    const voice = voices[place % voices.length] ?? language
    await promisify(execFile)('espeak-ng', ['-v', voice, '-s', '150', '-w', path, text])
    pieces.push({ pcm: await decoded(path), isOther: true })
  }
  return pieces
}

/** As many pieces of both, evenly spread, as give the other language its share of the time. */
function mixed(english: readonly Piece[], others: readonly Piece[], share: number): Piece[] {
  const time = (pieces: readonly Piece[]) => pieces.reduce((sum, { pcm }) => sum + pcm.length, 0)
  const [own, other] = [[...english], [...others]]
  const shareOf = () => time(other) / (time(own) + time(other))
  while (shareOf() > share && other.length > 1) other.pop()
  while (shareOf() < share && own.length > 1) own.pop()
  const all: Piece[] = []
  for (const [place, piece] of own.entries()) {
    all.push(piece)
    const due = Math.round(((place + 1) * other.length) / own.length)
    all.push(...other.slice(all.filter(({ isOther }) => isOther).length, due))
  }
  return all
}

async function change(from: string, to: string, how: (typeof untouched)[number][1]): Promise<void> {
  const pcm = await decoded(from)
  if (how !== 'noise') return void (await encode(pcm, to, how === 'telephone' ? TELEPHONE : []))
  const seconds = String(pcm.length / PER_MS / 1000)
  const { stdout } = await promisify(execFile)(
    'ffmpeg',
    ['-v', 'error', '-f', 'lavfi', '-i', NOISE, '-t', seconds, '-f', 's16le', '-ac', '1', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 1024 ** 3 },
  )
  const [sound, noise] = [samplesOf(pcm), samplesOf(stdout)]
  const times = powerOf(sound) / powerOf(noise) / Math.sqrt(10)
  const both = Int16Array.from(sound, (value, at) =>
    Math.max(-32_768, Math.min(32_767, value + times * (noise[at] ?? 0))),
  )
  await encode(Buffer.from(both.buffer), to)
}

function samplesOf(pcm: Buffer): Int16Array {
  const end = pcm.byteOffset + pcm.length - (pcm.length % 2)
  return new Int16Array(pcm.buffer.slice(pcm.byteOffset, end))
}

function powerOf(samples: Int16Array): number {
  return Math.sqrt(samples.reduce((sum, value) => sum + value * value, 0) / samples.length)
}

interface Ears {
  engine: Engine
  /** A folder for what is made and heard. */
  work: string
}

async function hear(
  { engine, work }: Ears,
  { name, pieces }: { name: string; pieces: readonly Piece[] },
  path = join(work, `${name}.flac`),
): Promise<Heard> {
  const spans: (Region & { isOther: boolean })[] = []
  const pause = Buffer.alloc(PAUSE_MS * PER_MS)
  const sound: Buffer[] = []
  let atMs = 0
  for (const { pcm, isOther } of pieces) {
    const endMs = atMs + pcm.length / PER_MS
    spans.push({ startMs: atMs, endMs, isOther })
    sound.push(pcm, pause)
    atMs = endMs + PAUSE_MS
  }
  if (pieces.length > 1) await encode(Buffer.concat(sound), path)
  const workDir = await mkdtemp(join(work, 'work-'))
  const { signal } = new AbortController()
  const result = await transcribe({ path, workDir, engine }, inMemory(), () => undefined, signal)
  const turns = result.kind === 'done' ? result.turns : []
  const lastMs = spans.at(-1)?.endMs ?? 0
  const credits = result.kind === 'done' ? creditsFor(Math.floor(lastMs / 1000)) : 0
  const marks = turns.filter(({ text }) => isOtherLanguage(text))
  const overlap = (a: Region, b: Region) =>
    Math.max(0, Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs))
  const markedOf = (wanted: boolean) => {
    const those = spans.filter(({ isOther }) => isOther === wanted)
    const time = those.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0)
    const marked = those.flatMap((span) => marks.map((mark) => overlap(span, mark)))
    return time === 0 ? 0 : marked.reduce((sum, ms) => sum + ms, 0) / time
  }
  const made = turns
    .filter(({ text }) => !isOtherLanguage(text))
    .flatMap(({ words }) => words)
    .filter(({ startMs, endMs }) => {
      const middle = (startMs + endMs) / 2
      return spans.some((span) => span.isOther && span.startMs <= middle && middle <= span.endMs)
    }).length
  process.stderr.write(`${name}: ${credits === 0 ? 'refused' : `${made} words made up`}\n`)
  return { name, made, otherMarked: markedOf(true), englishMarked: markedOf(false), credits }
}
