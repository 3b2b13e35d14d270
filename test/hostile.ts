/**
 * Hostile recordings: they try to reach other files or the network, to start a decoder of pictures,
 * or to fill all memory. They are made here byte by byte, so that no file has to be kept. The tests
 * use some of them, the long run all.
 */
import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { wavHead } from './wav.ts'

const run = promisify(execFile)

// The secret file and the port that no recording may reach.

export interface Trap {
  /** A WAV file whose samples are `mark`, again and again. */
  canary: string
  mark: string
  port: number
  /** Connections and datagrams that arrived. */
  visitors: () => number
  close: () => void
}

export async function setTrap(folder: string): Promise<Trap> {
  const mark = 'CANARY-THAT-MUST-NOT-SING:'
  const canary = join(folder, 'canary.wav')
  await writeFile(canary, wav(Buffer.from(mark.repeat(4000))))
  let visits = 0
  const tcp = createServer((socket) => {
    visits += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4', () => (visits += 1)).bind(port, '127.0.0.1')
  await once(udp, 'listening')
  const close = () => {
    tcp.close()
    udp.close()
  }
  return { canary, mark, port, visitors: () => visits, close }
}

export interface Hostile {
  name: string
  bytes: Buffer
}

/** Playlists, scripts and containers that refer to the canary and to the trap's port. */
export function references({ canary, port }: Pick<Trap, 'canary' | 'port'>): Hostile[] {
  const web = `http://127.0.0.1:${port}/`
  const m3u8 = (...lines: string[]) =>
    ['#EXTM3U', '#EXT-X-VERSION:4', '#EXT-X-TARGETDURATION:9', ...lines, '#EXT-X-ENDLIST', ''].join(
      '\n',
    )
  const segment = (url: string) => m3u8('#EXT-X-MEDIA-SEQUENCE:0', '#EXTINF:9,', url)
  const texts: Record<string, string> = {
    'file.mp3': segment(`file://${canary}`),
    'path.wav': segment(canary),
    'http.mp3': segment(`${web}part.ts`),
    'tcp.m4a': segment(`tcp://127.0.0.1:${port}`),
    'udp.aac': segment(`udp://127.0.0.1:${port}`),
    'gopher.mp3': segment(`gopher://127.0.0.1:${port}/_x`),
    'crypto.mp3': segment(`crypto+file://${canary}`),
    'concat.mp3': segment(`concat:${web}head|file://${canary}`),
    'subfile.mp3': segment(`subfile,,start,0,end,64,,:${canary}`),
    'data.mp3': segment(`data:audio/wav;base64,${wav(Buffer.alloc(64)).toString('base64')}`),
    'key.mp3': m3u8(`#EXT-X-KEY:METHOD=AES-128,URI="file://${canary}"`, '#EXTINF:9,', canary),
    'map.mp4': m3u8(`#EXT-X-MAP:URI="${web}init.mp4"`, '#EXTINF:9,', `${web}1.m4s`),
    'main.mp3': m3u8(
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="${web}a.m3u8"`,
      '#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"',
      `file://${canary}`,
    ),
    'mark.wav': `\uFEFF${segment(`file://${canary}`)}`,
    'padded.mp3': `${' '.repeat(200)}\n${segment(`file://${canary}`)}`,
    'concat-script.mp3': `ffconcat version 1.0\nfile '${canary}'\n`,
    'concat-options.wav': `ffconcat version 1.0\nfile '${web}'\noption protocol_whitelist file,http,tcp\n`,
    'concat-address.mp3': `concat:${canary}|${canary}`,
    'subfile-address.mp3': `subfile,,start,0,end,64,,:${canary}`,
    'session.ogg': `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=audio ${port} RTP/AVP 0\n`,
    'dash.mp4':
      `<?xml version="1.0"?><MPD type="static" mediaPresentationDuration="PT9S"><Period><AdaptationSet mimeType="audio/mp4">` +
      `<Representation id="1" bandwidth="1"><BaseURL>file://${canary}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
    'dash-web.webm':
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file://${canary}">]><MPD><Period><AdaptationSet>` +
      `<SegmentTemplate media="${web}$Number$"/><Representation id="&e;"/></AdaptationSet></Period></MPD>`,
    'smooth.mp4': `<SmoothStreamingMedia><StreamIndex Type="audio" Url="${web}"/></SmoothStreamingMedia>`,
    'composition.mov': `<?xml version="1.0"?><AssetMap><AssetList><Asset><Path>${canary}</Path></Asset></AssetList></AssetMap>`,
    'list.ogg': `[playlist]\nFile1=${web}\nNumberOfEntries=1\n`,
    'list.mpeg': `<asx version="3"><entry><ref href="${web}"/></entry></asx>`,
    'stream.mp3': `rtsp://127.0.0.1:${port}/x\n`,
    'redirect.mov': `RTSPtext\nrtsp://127.0.0.1:${port}/x\n`,
    'graph.wav': `amovie=filename=${canary}`,
    'script.avi': `AVISource("${canary}")\nWavSource("${canary}")\n`,
    'meta.flac': `;FFMETADATA1\ntitle=x\n[STREAM]\nfile=${canary}\n`,
    'subtitle.webm': `WEBVTT\n\n00:00.000 --> 00:09.000\n${canary}\n`,
    'index.mpeg': `# VobSub index file, v7 (do not modify this line!)\nid: en, index: 0\ntimestamp: 00:00:00:000, filepos: 000000000\n`,
    'picture.mp3': `<svg xmlns="http://www.w3.org/2000/svg"><image href="file://${canary}"/></svg>`,
  }
  const list = Buffer.from(segment(`file://${canary}`))
  const containers: Record<string, Buffer> = {
    'tagged.mp3': Buffer.concat([id3(frame('TIT2', '\0x')), list]),
    'picture-elsewhere.mp3': Buffer.concat([id3(frame('APIC', `\0-->\0\x03\0${web}`)), list]),
    'text-art.mp3': Buffer.concat([Buffer.from('XBIN\x1a\x50\0\x19\0\x10\0'), list]),
    'external-file.mp4': movie({ dref: url(`file://${canary}`) }),
    'external-web.m4a': movie({ dref: url(web) }),
    'external-alias.mov': movie({ dref: alias(canary) }),
    'external-name.mov': movie({ dref: box('urn ', word(0), Buffer.from(`x\0${canary}\0`)) }),
    'reference.mov': Buffer.concat([
      box('ftyp', Buffer.from('qt  \0\0\0\0qt  ')),
      box(
        'moov',
        box(
          'rmra',
          box(
            'rmda',
            box('rdrf', word(0), Buffer.from('url '), word(web.length), Buffer.from(web)),
          ),
        ),
      ),
    ]),
    'subtitle-list.mkv': matroska(track({ type: 17, codec: 'S_TEXT/UTF8' }), block(list)),
    'subtitle-styled.webm': matroska(
      track({ type: 17, codec: 'S_TEXT/ASS', private: list }),
      block(list),
    ),
    'linked.mkv': matroska(
      Buffer.concat([
        element(
          '1549a966',
          element('3eb923', Buffer.alloc(16, 7)),
          element('3e83bb', Buffer.from(canary)),
        ),
        track({ type: 17, codec: 'S_TEXT/UTF8' }),
      ]),
      block(list),
    ),
    'attached.mkv': matroska(
      element(
        '1941a469',
        element(
          '61a7',
          element('466e', Buffer.from(canary)),
          element('4660', Buffer.from('application/vnd.apple.mpegurl')),
          element('465c', list),
          element('46ae', Buffer.from([1])),
        ),
      ),
      Buffer.alloc(0),
    ),
    'subtitle-list.avi': avi(gab2(list)),
    'subtitle-script.avi': avi(gab2(Buffer.from(`ffconcat version 1.0\nfile '${canary}'\n`))),
    'list-inside.ogg': Buffer.concat([
      page({ serial: 1, flags: 2, sequence: 0, granule: 0n, packet: list.subarray(0, 255) }),
    ]),
    'picture-elsewhere.flac': Buffer.concat([flacHead(44_100, false), flacPicture(web)]),
    'list-inside.flac': Buffer.concat([flacHead(44_100, true), list]),
  }
  return [
    ...Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    ...Object.entries(containers).map(([name, bytes]) => ({ name, bytes })),
  ]
}

// The pieces of containers.

const word = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
const half = (value: number) => word(value).subarray(2)
const littleWord = (value: number) => word(value).reverse()

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([word(body.length + 8), Buffer.from(type, 'latin1'), body])
}

const url = (address: string) => box('url ', word(0), Buffer.from(`${address}\0`))

/** The Macintosh alias record that QuickTime movies point to their media with. */
function alias(path: string): Buffer {
  const record = Buffer.alloc(150)
  record.writeUInt16BE(150 + 4 + path.length + (path.length % 2), 4)
  record.writeUInt16BE(2, 6)
  record.write('\x01/', 10, 'latin1')
  record.writeInt16BE(0, 130)
  const tail = [half(18), half(path.length), Buffer.from(path), Buffer.alloc(path.length % 2)]
  return box('alis', word(0), record, ...tail, half(0xffff), half(0))
}

/** A QuickTime movie with one track of PCM, whose samples are wherever `dref` says. */
function movie({ dref }: { dref: Buffer }): Buffer {
  const header = (type: string, ...numbers: number[]) => box(type, ...numbers.map(word))
  const entry = box(
    'sowt',
    Buffer.alloc(6),
    half(1),
    Buffer.alloc(8),
    half(1),
    half(16),
    word(0),
    half(16_000),
    half(0),
  )
  const table = box(
    'stbl',
    box('stsd', word(0), word(1), entry),
    header('stts', 0, 1, 16_000, 1),
    header('stsc', 0, 1, 1, 16_000, 1),
    header('stsz', 0, 2, 16_000),
    header('stco', 0, 1, 44),
  )
  const media = box(
    'mdia',
    header('mdhd', 0, 0, 0, 16_000, 16_000, 0),
    box('hdlr', word(0), Buffer.from('mhlrsoun'), Buffer.alloc(12), Buffer.from([0])),
    box('minf', header('smhd', 0, 0), box('dinf', box('dref', word(0), word(1), dref)), table),
  )
  const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]
  return Buffer.concat([
    box('ftyp', Buffer.from('qt  \0\0\0\0qt  ')),
    box(
      'moov',
      header('mvhd', 0, 0, 0, 1000, 1000, 0x10000, 0x1000000, 0, 0, ...matrix, 0, 0, 0, 0, 0, 0, 2),
      box('trak', header('tkhd', 7, 0, 0, 1, 0, 1000, 0, 0, 0, 0x1000000, ...matrix, 0, 0), media),
    ),
  ])
}

function element(id: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(id, 'hex'), word(0x10000000 | body.length), body])
}

function track({
  type,
  codec,
  private: more,
}: {
  type: number
  codec: string
  private?: Buffer
}): Buffer {
  const one = Buffer.from([1])
  return element(
    '1654ae6b',
    element(
      'ae',
      element('d7', one),
      element('73c5', one),
      element('83', Buffer.from([type])),
      element('86', Buffer.from(codec)),
      ...(more ? [element('63a2', more)] : []),
    ),
  )
}

const block = (payload: Buffer) =>
  element(
    '1f43b675',
    element('e7', Buffer.from([0])),
    element('a3', Buffer.from([0x81, 0, 0, 0x80]), payload),
  )

function matroska(head: Buffer, clusters: Buffer): Buffer {
  const ebml = element(
    '1a45dfa3',
    element('4282', Buffer.from('matroska')),
    element('4287', Buffer.from([4])),
    element('4285', Buffer.from([2])),
  )
  return Buffer.concat([ebml, element('18538067', head, clusters)])
}

function chunk(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([
    Buffer.from(type),
    littleWord(body.length),
    body,
    Buffer.alloc(body.length % 2),
  ])
}

/** 16 kHz, mono, 16 bit. */
function wav(
  samples: Buffer,
  { sizeBytes = samples.length, rateHz = 16_000, isByte = false } = {},
): Buffer {
  const head = wavHead({ dataBytes: sizeBytes, rateHz, bits: isByte ? 8 : 16 })
  return Buffer.concat([head, samples])
}

/** An AVI with one stream of text, whose only packet is given. */
function avi(packet: Buffer): Buffer {
  const streamHead = Buffer.alloc(56)
  streamHead.write('txts', 0, 'latin1')
  streamHead.writeUInt32LE(1, 20)
  streamHead.writeUInt32LE(1, 24)
  streamHead.writeUInt32LE(1, 32)
  const head = Buffer.alloc(56)
  head.writeUInt32LE(1, 16)
  head.writeUInt32LE(1, 24)
  const streams = chunk('LIST', Buffer.from('strl'), chunk('strh', streamHead), chunk('strf'))
  return chunk(
    'RIFF',
    Buffer.from('AVI '),
    chunk('LIST', Buffer.from('hdrl'), chunk('avih', head), streams),
    chunk('LIST', Buffer.from('movi'), chunk('00tx', packet)),
  )
}

/** Subtitles inside an AVI, for which ffmpeg looks for a demuxer by itself. */
const gab2 = (content: Buffer) =>
  Buffer.concat([
    Buffer.from('GAB2\0\x02\0'),
    littleWord(2),
    Buffer.from('x\0'),
    Buffer.from('\x04\0'),
    littleWord(content.length),
    content,
  ])

const frame = (name: string, content: string) =>
  Buffer.concat([Buffer.from(name), word(content.length), half(0), Buffer.from(content, 'latin1')])

function id3(...frames: Buffer[]): Buffer {
  const body = Buffer.concat(frames)
  const size = [21, 14, 7, 0].map((shift) => (body.length >> shift) & 127)
  return Buffer.concat([Buffer.from('ID3\x03\0\0'), Buffer.from(size), body])
}

function flacHead(rateHz: number, isLast: boolean): Buffer {
  const info = Buffer.alloc(34)
  info.writeUInt16BE(65_535, 0)
  info.writeUInt16BE(65_535, 2)
  info.writeBigUInt64BE((BigInt(rateHz) << 44n) | (15n << 36n), 10)
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([isLast ? 0x80 : 0, 0, 0, 34]), info])
}

function flacPicture(address: string): Buffer {
  const body = Buffer.concat([
    word(3),
    word(3),
    Buffer.from('-->'),
    word(0),
    ...[0, 0, 0, 0].map(word),
    word(address.length),
    Buffer.from(address),
  ])
  return Buffer.concat([Buffer.from([0x86]), word(body.length).subarray(1), body])
}

const crcTable = (bits: 8 | 16 | 32, polynomial: number) =>
  Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index << (bits - 8)
    for (let bit = 0; bit < 8; bit++) {
      const isSet = (value >>> (bits - 1)) & 1
      value = (value << 1) ^ (isSet ? polynomial : 0)
    }
    return bits === 32 ? value >>> 0 : value & (2 ** bits - 1)
  })
const oggCrc = crcTable(32, 0x04c11db7)
const flacCrc8 = crcTable(8, 0x07)
const flacCrc16 = crcTable(16, 0x8005)

/** An Ogg page with packets of less than 255 bytes. */
function page({
  serial,
  flags,
  sequence,
  granule,
  packet,
  packets = [packet ?? Buffer.alloc(0)],
}: {
  serial: number
  flags: number
  sequence: number
  granule: bigint
  packet?: Buffer
  packets?: readonly Buffer[]
}): Buffer {
  const lacing = packets.flatMap(({ length }) => (length === 255 ? [255, 0] : [length]))
  const head = Buffer.alloc(27 + lacing.length)
  head.write('OggS', 0, 'latin1')
  head[5] = flags
  head.writeBigInt64LE(granule, 6)
  head.writeUInt32LE(serial, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = lacing.length
  Buffer.from(lacing).copy(head, 27)
  const bytes = Buffer.concat([head, ...packets])
  let crc = 0
  for (const byte of bytes) crc = ((crc << 8) ^ oggCrc[((crc >>> 24) ^ byte) & 255]!) >>> 0
  bytes.writeUInt32LE(crc, 22)
  return bytes
}

// Files that ffmpeg itself makes.

const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
const pictures = (seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc=duration=${seconds}:size=96x64:rate=10`,
]

export async function make(path: string, ...args: string[]): Promise<string> {
  await run('ffmpeg', ['-v', 'error', '-y', ...args, path])
  return path
}

/** One short recording of each kind that is accepted. */
export async function seeds(folder: string): Promise<string[]> {
  const film = [...pictures(1), ...tone(1)]
  const kinds: Record<string, string[]> = {
    'seed.flac': tone(1),
    'seed.mp3': tone(1),
    'seed.ogg': [...tone(1), '-c:a', 'libvorbis'],
    'seed.opus': tone(1),
    'seed.wav': tone(1),
    'seed.m4a': tone(1),
    'seed.mov': [...film, '-c:v', 'mpeg4', '-c:a', 'aac'],
    'seed.webm': [...film, '-c:v', 'libvpx', '-c:a', 'libopus'],
    'seed.avi': [...film, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
    'seed.mpeg': [...film, '-r', '25', '-c:v', 'mpeg1video', '-c:a', 'mp2'],
  }
  return Promise.all(Object.entries(kinds).map(([name, args]) => make(join(folder, name), ...args)))
}

/** A copy that is broken in a few places; heads, where lengths and counts stand, more often. */
export function mutate(seed: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  for (let wounds = 1 + below(6); wounds > 0; wounds--) {
    const at = below(random() < 0.5 ? Math.min(512, bytes.length) : bytes.length)
    const length = 1 + below(16)
    switch (below(7)) {
      case 0:
        bytes[at] = bytes[at]! ^ (1 << below(8))
        break
      case 1:
        bytes.fill(below(2) * 255, at, Math.min(at + length, bytes.length))
        break
      case 2:
        for (let each = at; each < Math.min(at + length, bytes.length); each++)
          bytes[each] = below(256)
        break
      case 3:
        bytes = bytes.subarray(0, Math.max(16, at))
        break
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, at + length * 8), bytes.subarray(at)])
        break
      default: {
        const from = below(bytes.length)
        bytes.copyWithin(at, from, from + length * 4)
      }
    }
    if (bytes.length === 0) bytes = Buffer.from([0])
  }
  return bytes
}

/**
 * Sound beside damaged pictures of a rare codec, in Matroska that calls itself WebM. A decoder of
 * pictures that reads them prints errors, which shows that it was started.
 */
export async function damagedPictures(folder: string): Promise<string> {
  const whole = join(folder, 'whole.mkv')
  await make(whole, ...pictures(2), ...tone(2), '-c:v', 'magicyuv', '-c:a', 'libopus')
  const bytes = await readFile(whole)
  // Each frame begins with its signature, and so does the description of the track, which stays.
  const frames = bytes.indexOf('1f43b675', 'hex')
  for (let at = bytes.indexOf('MAGY', frames); at !== -1; at = bytes.indexOf('MAGY', at + 4))
    bytes.fill(0xff, at + 8, at + 40)
  const path = join(folder, 'damaged.webm')
  await writeFile(path, bytes)
  return path
}

// Bombs.

/** FLAC frames of one value each: 65,535 samples in 16 bytes. */
export async function constantFlac(
  path: string,
  { sizeBytes, rateHz = 44_100 }: { sizeBytes: number; rateHz?: number },
): Promise<string> {
  await writeInPieces(path, sizeBytes, flacHead(rateHz, true), (index) => {
    const head = [0xff, 0xf8, 0x70, 0x08, ...utf8(index), 0xff, 0xfe]
    const check = head.reduce((crc, byte) => flacCrc8[crc ^ byte]!, 0)
    const body = [...head, check, 0, 0, 0]
    const last = body.reduce(
      (crc, byte) => ((crc << 8) & 0xffff) ^ flacCrc16[(crc >> 8) ^ byte]!,
      0,
    )
    return Buffer.from([...body, last >> 8, last & 255])
  })
  return path
}
const utf8 = (index: number) =>
  index < 0x80
    ? [index]
    : index < 0x800
      ? [0xc0 | (index >> 6), 0x80 | (index & 63)]
      : index < 0x10000
        ? [0xe0 | (index >> 12), 0x80 | ((index >> 6) & 63), 0x80 | (index & 63)]
        : [
            0xf0 | (index >> 18),
            0x80 | ((index >> 12) & 63),
            0x80 | ((index >> 6) & 63),
            0x80 | (index & 63),
          ]

/** Hours of Opus at no more than six kilobits a second: a few seconds, again and again. */
export async function longOpus(
  path: string,
  { folder, hours }: { folder: string; hours: number },
): Promise<string> {
  const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=6:c=pink:a=0.3', '-ac', '1']
  const low = ['-b:a', '6k', '-frame_duration', '60']
  const short = await make(join(folder, 'short.opus'), ...noise, ...low)
  const seconds = String(hours * 3600)
  return make(path, '-stream_loop', '-1', '-i', short, '-c', 'copy', '-t', seconds)
}

/** The packets of an Ogg file with one stream. None is longer than a page. */
function packetsOf(bytes: Buffer): Buffer[] {
  const packets: Buffer[] = []
  let part: Buffer[] = []
  for (let at = 0; at + 27 <= bytes.length;) {
    const count = bytes[at + 26]!
    let data = at + 27 + count
    for (const size of bytes.subarray(at + 27, at + 27 + count)) {
      part.push(bytes.subarray(data, data + size))
      data += size
      if (size < 255) packets.push(Buffer.concat(part.splice(0)))
    }
    at = data
  }
  return packets
}

/** Whole Ogg files one after the other, each a stream of its own, without an end in sight. */
export async function oggChain(
  path: string,
  { folder, sizeBytes }: { folder: string; sizeBytes: number },
): Promise<string> {
  const source = await make(join(folder, 'link.opus'), ...tone(0.1), '-b:a', '6k')
  const [head, tags, ...sound] = packetsOf(await readFile(source))
  await writeInPieces(path, sizeBytes, Buffer.alloc(0), (index) => {
    const serial = index + 1
    return Buffer.concat([
      page({ serial, flags: 2, sequence: 0, granule: 0n, packet: head! }),
      page({ serial, flags: 0, sequence: 1, granule: 0n, packet: tags! }),
      page({ serial, flags: 4, sequence: 2, granule: BigInt(sound.length * 960), packets: sound }),
    ])
  })
  return path
}

export async function manyTracks(
  path: string,
  { folder, tracks }: { folder: string; tracks: number },
): Promise<string> {
  const source = await make(join(folder, 'track.mp3'), ...tone(1))
  const maps = Array.from({ length: tracks }, () => ['-map', '0:a']).flat()
  return make(path, '-i', source, ...maps, '-c', 'copy')
}

/** A WAV that claims to be as long as its header can say. */
export async function endlessWav(
  path: string,
  { sizeBytes, rateHz = 8000 }: { sizeBytes: number; rateHz?: number },
): Promise<string> {
  await writeFile(
    path,
    wav(Buffer.alloc(sizeBytes, 0x80), { sizeBytes: 0xffff_ffff, rateHz, isByte: true }),
  )
  return path
}

async function writeInPieces(
  path: string,
  sizeBytes: number,
  head: Buffer,
  pieceOf: (index: number) => Buffer,
): Promise<void> {
  await using file = await open(path, 'w')
  let pieces = [head]
  let pending = head.length
  let written = 0
  for (let index = 0; ; index++) {
    const piece = pieceOf(index)
    const isLast = written + pending + piece.length > sizeBytes
    if (!isLast) {
      pieces.push(piece)
      pending += piece.length
    }
    if (!isLast && pending < 4_000_000) continue
    await file.appendFile(Buffer.concat(pieces))
    written += pending
    pieces = []
    pending = 0
    if (isLast) return
  }
}
