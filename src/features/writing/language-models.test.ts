import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { type Machine, plansFor } from './language-models.ts'

const nvidia = (memoryGB: number) => ({ kind: 'nvidia', name: 'A card', memoryGB }) as const
const machine = (memoryGB: number, more: Partial<Machine> = {}): Machine => ({
  cores: 8,
  memoryGB,
  freeDiskGB: 200,
  gpu: null,
  ...more,
})

test.each<[what: string, machine: Machine, model: string, on: string]>([
  ['4 cores and 8 GB', machine(8, { cores: 4 }), 'qwen3:4b-instruct', 'processor'],
  ['8 cores and 16 GB', machine(16), 'ministral-3:8b', 'processor'],
  ['8 cores and 32 GB', machine(32), 'qwen3:30b-a3b-instruct-2507-q4_K_M', 'processor'],
  ['a full disk', machine(32, { freeDiskGB: 5 }), 'qwen3:4b-instruct', 'processor'],
  ['a card of 4 GB', machine(16, { gpu: nvidia(4.3) }), 'qwen3:4b-instruct', 'graphics card'],
  ['a card of 8 GB', machine(32, { gpu: nvidia(8.6) }), 'ministral-3:8b', 'graphics card'],
  ['a card of 24 GB', machine(32, { gpu: nvidia(25.8) }), 'mistral-small3.2:24b', 'graphics card'],
  [
    'a Mac with 16 GB',
    machine(16, { gpu: { kind: 'apple', name: 'Apple M2' } }),
    'gemma3:12b',
    'graphics card',
  ],
])('a machine with %s is told of the model that fits', (_, given, model, on) => {
  const { plans, why } = plansFor(given)
  expect(why).toBeNull()
  expect(plans[0]).toMatchObject({ model: { ollama: model }, on })
})

test.each<[what: string, machine: Machine, why: string]>([
  ['two cores', machine(8, { cores: 2 }), 'slow'],
  ['4 GB', machine(4), 'memory'],
  ['no room on its disk', machine(32, { freeDiskGB: 2 }), 'disk'],
  ['4 GB and a card of 2 GB', machine(4, { gpu: nvidia(2) }), 'memory'],
])('a machine with %s is told that it is too small, and why', (_, given, why) => {
  expect(plansFor(given)).toEqual({ plans: [], why })
})

test('a proposed model fits the machine, is faster than speech, and is waited for long enough', () => {
  const anyMachine = fc.record({
    cores: fc.integer({ min: 1, max: 128 }),
    memoryGB: fc.integer({ min: 1, max: 512 }),
    freeDiskGB: fc.option(fc.integer({ min: 0, max: 500 })),
    gpu: fc.option(
      fc.oneof(
        fc.integer({ min: 1, max: 100 }).map(nvidia),
        fc.constantFrom('Apple M1', 'Apple M3 Pro', 'Apple M4 Max').map((name) => ({
          kind: 'apple' as const,
          name,
        })),
      ),
    ),
  })
  fc.assert(
    fc.property(anyMachine, (given) => {
      const { plans, why } = plansFor(given)
      expect(plans.length === 0).toBe(why !== null)
      for (const { on, memoryGB, hourMinutes, reads, writes, timeoutSeconds, model } of plans) {
        const there = on === 'processor' || given.gpu?.kind === 'apple' ? given : given.gpu
        expect(memoryGB).toBeLessThan(there?.memoryGB ?? 0)
        expect(model.diskGB).toBeLessThan(given.freeDiskGB ?? Infinity)
        for (const [low, high] of [hourMinutes, reads, writes]) expect(low).toBeLessThan(high)
        expect(hourMinutes[1]).toBeLessThanOrEqual(60)
        // One part of a long transcript, at the slow end.
        expect(timeoutSeconds).toBeGreaterThan(6_000 / reads[0] + 1_000 / writes[0])
      }
    }),
  )
})
