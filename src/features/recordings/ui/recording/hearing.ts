/**
 * The sound that is recorded. The microphone is plugged into a sound of our own, and that is recorded.
 * So another microphone can take its place in the same file, and what is muted is silence there and no
 * hole. Why nothing is heard is told when it happens.
 */
import type { Event } from './state.ts'
import { setClock, soundMs } from './tell.ts'

/** Softer than any microphone is: what comes are zeros. */
const SILENCE = 1e-5
const QUIET_MS = 5000

export function hearing(say: (event: Event) => void) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  // Longer than the time between two looks, so that no sound falls between them.
  analyser.fftSize = 8192
  const heard = context.createMediaStreamDestination()
  heard.channelCount = 1
  analyser.connect(heard)
  // Of a sound into which nothing comes, Chromium records nothing at all.
  const silence = new ConstantSourceNode(context, { offset: 0 })
  silence.connect(heard)
  silence.start()
  setClock(() => context.currentTime * 1000)

  let stream: MediaStream | null = null
  let source: MediaStreamAudioSourceNode | null = null
  const unplug = () => {
    source?.disconnect()
    letGo(stream)
  }
  const sayIfMuted = () => {
    if (stream && trackOf(stream)?.muted) say({ kind: 'deaf', why: 'muted' })
  }
  const wake = () => {
    if (context.state !== 'running') void context.resume().catch(() => undefined)
  }
  context.addEventListener('statechange', () => {
    if (context.state === 'running') {
      say({ kind: 'hears', over: ['asleep'] })
      return sayIfMuted()
    }
    say({ kind: 'deaf', why: 'asleep' })
    wake()
  })
  const samples = new Float32Array(analyser.fftSize)
  let quietMs = 0
  let lookedAtMs = soundMs()

  return {
    analyser,
    heard: heard.stream,
    wake,
    sayIfMuted,
    plug(next: MediaStream) {
      if (next !== stream) unplug()
      stream = next
      quietMs = 0
      source = context.createMediaStreamSource(next)
      source.connect(analyser)
      const track = trackOf(next)
      const on = (name: string, event: Event) =>
        track?.addEventListener(name, () => {
          if (stream === next) say(event)
        })
      on('mute', { kind: 'deaf', why: 'muted' })
      on('unmute', { kind: 'hears', over: ['muted'] })
      on('ended', { kind: 'deaf', why: 'gone' })
    },
    /** How loud it was since the last look, at most. */
    listen({ isRecording, isDeaf }: { isRecording: boolean; isDeaf: boolean }): number {
      analyser.getFloatTimeDomainData(samples)
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      quietMs = isRecording && loudest < SILENCE ? quietMs + soundMs() - lookedAtMs : 0
      lookedAtMs = soundMs()
      if (loudest >= SILENCE && isDeaf) say({ kind: 'hears', over: ['quiet'] })
      if (quietMs >= QUIET_MS) say({ kind: 'deaf', why: 'quiet', forMs: quietMs })
      return loudest
    },
    async end() {
      unplug()
      await context.close()
    },
  }
}

const trackOf = (stream: MediaStream) => stream.getAudioTracks()[0]

export function letGo(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
