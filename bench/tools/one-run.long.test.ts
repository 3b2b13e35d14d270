import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { beforeAll, expect, test } from 'vitest'

import { chosen } from '#features/models/models.ts'
import { openDiarizer } from '#features/speech/engines/sherpa-diarize.ts'
import { type Engine, tellSpeakersApart } from '#features/speech/speech.ts'
import { aFolder } from '#test/folder.ts'
import { capabilities, stageStore } from '#test/engine.ts'
import { spokenTones, type TinyWord, writeTinySpeakers } from '#test/tiny-model.ts'

import type { VoicesName } from './one-run.ts'
import { pipelineIn } from './pipeline-run.ts'

const folder = aFolder('one-run')
let sample: string
let modelsDir: string
beforeAll(async () => {
  modelsDir = join(folder, 'models')
  await writeTinySpeakers(modelsDir)
  const times = (word: TinyWord) => Array.from({ length: 12 }, () => word)
  sample = join(folder, 'sample.wav')
  await writeFile(
    sample,
    await spokenTones([...times('hello'), ...times('test'), ...times('hello')]),
  )
})

test.each<[VoicesName, string | undefined]>([
  ['embedded', undefined],
  ['installed', 'tiny-segmentation and tiny-embedding'],
])('a bench tells voices apart as the product does: %s', async (voices, diarizer) => {
  const run = await pipelineIn(folder)({
    path: sample,
    engine: 'free',
    cores: 1,
    voices,
    modelsDir,
  })
  const { speakers } = await chosen(modelsDir)
  const pair = voices === 'installed' && speakers ? openDiarizer(speakers) : undefined
  const engine: Engine = {
    name: 'test',
    capabilities,
    parallelGroups: 1,
    groupMs: 60_000,
    recognise: () => Promise.reject(new Error('nobody asks for words')),
    ...(pair ? { diarizer: pair } : {}),
  }
  const product = await tellSpeakersApart(
    { path: sample, workDir: join(folder, voices), engine },
    stageStore(),
    () => undefined,
    new AbortController().signal,
  )
  await engine.diarizer?.close?.()
  expect(run.diarizer ?? undefined).toBe(diarizer)
  expect(engine.diarizer?.name).toBe(diarizer)
  expect(run.speakerTurns.length).toBeGreaterThan(0)
  expect(product).toMatchObject({ kind: 'done', speakers: run.speakerTurns })
})

test('a bench ends where models fail, and does not measure the embedded ones in their name', async () => {
  const broken = join(folder, 'broken')
  await writeTinySpeakers(broken)
  await writeFile(join(broken, 'tiny-embedding/model.onnx'), Buffer.alloc(900, 9))
  const wish = { path: sample, engine: 'free', voices: 'installed', modelsDir: broken } as const
  await expect(pipelineIn(folder)({ ...wish, cores: 1 })).rejects.toThrow(
    'no models that tell voices apart are installed',
  )
})
