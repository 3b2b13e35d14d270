/**
 * The sound that is recorded. The microphone is plugged into a sound of our own, and that is recorded.
 * So another microphone can take its place in the same file, and what is muted is silence there and no
 * hole. Why nothing is heard is told when it happens.
 */
import { standstill } from './standstill.ts'
import type { Deafness, Event } from './state.ts'

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
  const clocks = () => ({ nowMs: performance.now(), soundMs: context.currentTime * 1000 })
  const still = standstill(clocks())

  let stream: MediaStream | null = null
  let source: MediaStreamAudioSourceNode | null = null
  const unplug = () => {
    source?.disconnect()
    letGo(stream)
  }
  const sayIfMuted = () => {
    if (stream && trackOf(stream)?.muted) say({ kind: 'deaf', why: 'muted' })
  }
  const hearsAgain = () => {
    still.restart(clocks())
    say({ kind: 'hears', over: ['asleep'] })
    sayIfMuted()
  }
  const sayIfAsleep = (deaf: Deafness | null) => {
    const { isGoing, stoodMs } = still.look(clocks())
    if (stoodMs > 0) say({ kind: 'deaf', why: 'asleep', forMs: stoodMs })
    if (isGoing && (stoodMs > 0 || deaf === 'asleep') && context.state === 'running') hearsAgain()
  }
  const wake = () => {
    if (context.state !== 'running') void context.resume().catch(() => undefined)
  }
  context.addEventListener('statechange', () => {
    if (context.state === 'running') return hearsAgain()
    say({ kind: 'deaf', why: 'asleep' })
    wake()
  })
  const samples = new Float32Array(analyser.fftSize)
  let quietMs = 0
  let lookedAtMs = performance.now()

  return {
    analyser,
    heard: heard.stream,
    wake,
    sayIfMuted,
    plug(next: MediaStream) {
      if (next !== stream) unplug()
      stream = next
      quietMs = 0
      still.restart(clocks())
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
    listen({ isRecording, deaf }: { isRecording: boolean; deaf: Deafness | null }): number {
      if (isRecording || deaf === 'asleep') sayIfAsleep(deaf)
      else still.restart(clocks())
      analyser.getFloatTimeDomainData(samples)
      const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
      const now = performance.now()
      quietMs = isRecording && loudest < SILENCE ? quietMs + now - lookedAtMs : 0
      lookedAtMs = now
      if (loudest >= SILENCE && deaf) say({ kind: 'hears', over: ['quiet'] })
      if (quietMs >= QUIET_MS) say({ kind: 'deaf', why: 'quiet', forMs: quietMs })
      return loudest
    },
    end() {
      unplug()
      // One that never ran may never close either.
      void context.close().catch(() => undefined)
    },
  }
}

const trackOf = (stream: MediaStream) => stream.getAudioTracks()[0]

export function letGo(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop()
}
