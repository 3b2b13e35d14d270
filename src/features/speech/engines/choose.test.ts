import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

import { aFolder } from '#test/folder.ts'
import { anEngine } from '#test/engine.ts'
import { tinyModel, writeTinyModel, writeTinySpeakers } from '#test/tiny-model.ts'

import { type BrokenModel, chosen as chosenModels } from '#features/models/models.ts'

import { chooseEngine, type EngineSettings, EngineUnavailable, withVoiceModels } from './choose.ts'

const withModel = aFolder('choose')
const withoutModel = aFolder('choose')
beforeAll(async () => {
  await writeTinyModel(join(withModel, 'tiny'), { name: 'tiny' })
})

const none = { apiKey: null, baseUrl: null, model: 'whisper-1' }
const withKey = { ...none, apiKey: 'sk-1' }
const withAddress = { ...none, baseUrl: 'http://localhost:9/v1' }
const chosen = async (settings: EngineSettings) => {
  const { name, model } = await chooseEngine(settings)
  return model === undefined ? name : `${name}: ${model}`
}

test('auto takes a server when one is set, else a model when one is installed, else what is embedded', async () => {
  const auto = { transcriber: 'auto', openai: none } as const
  expect(await chosen({ ...auto, modelsDir: withoutModel })).toBe('pocketsphinx')
  expect(await chosen({ ...auto, modelsDir: join(withoutModel, 'never made') })).toBe(
    'pocketsphinx',
  )
  expect(await chosen({ ...auto, modelsDir: withModel })).toBe('sherpa: tiny')
  for (const openai of [withKey, withAddress])
    expect(await chosen({ ...auto, openai, modelsDir: withModel })).toBe('openai: whisper-1')
})

test('a model that does not work is not used, and the operator is told', async () => {
  const modelsDir = await mkdtemp(join(withModel, '.broken-'))
  const installedAt = { good: '2026-01-01T00:00:00Z', bad: '2026-02-01T00:00:00Z' }
  const write = async (name: keyof typeof installedAt, bytes = tinyModel()) => {
    await writeTinyModel(join(modelsDir, name), { name, installedAt: installedAt[name] })
    await writeFile(join(modelsDir, name, 'model.onnx'), bytes)
  }
  await write('good')
  await write('bad', Buffer.from('<html>not found</html>'))
  const told: BrokenModel[] = []
  const settings = { transcriber: 'auto', openai: none, modelsDir } as const
  const onBroken = (model: BrokenModel) => void told.push(model)
  // Two processes that start at the same time do not get into each other's way.
  const both = [chosen({ ...settings, onBroken }), chosen({ ...settings, transcriber: 'sherpa' })]
  expect(await Promise.all(both)).toEqual(['sherpa: good', 'sherpa: good'])
  expect(told).toEqual([{ id: 'bad', reason: expect.stringContaining('model.onnx (22 bytes') }])

  await write('good', Buffer.alloc(0))
  expect(await chosen({ ...settings, transcriber: 'sherpa', onBroken })).toBe('pocketsphinx')
  expect(told.map(({ id }) => id)).toEqual(['bad', 'bad', 'good'])
})

test('the engine that is asked for is taken, whatever else is there', async () => {
  const all = { openai: withKey, modelsDir: withModel }
  expect(await chosen({ ...all, transcriber: 'pocketsphinx' })).toBe('pocketsphinx')
  expect(await chosen({ ...all, transcriber: 'sherpa' })).toBe('sherpa: tiny')
  expect(await chosen({ ...all, transcriber: 'openai' })).toBe('openai: whisper-1')
})

test('an engine that is not available is refused, with what to do', async () => {
  const sherpa = chooseEngine({ transcriber: 'sherpa', modelsDir: withoutModel })
  await expect(sherpa).rejects.toThrow(EngineUnavailable)
  await expect(sherpa).rejects.toThrow('npm run models -- install NAME')
  await expect(chooseEngine({ transcriber: 'openai', openai: none })).rejects.toThrow(
    'needs OPENAI_API_KEY or OPENAI_BASE_URL',
  )
})

test('each engine says truthfully what it can', async () => {
  const capabilitiesOf = async (model: string) => {
    const openai = { ...withKey, model }
    return (await chooseEngine({ transcriber: 'openai', openai })).capabilities
  }
  expect(await capabilitiesOf('whisper-1')).toMatchObject({ hasWordTimes: true })
  expect(await capabilitiesOf('gpt-4o-transcribe')).toMatchObject({ hasWordTimes: false })
  const diarize = await capabilitiesOf('gpt-4o-transcribe-diarize')
  expect(diarize).not.toHaveProperty('takesTerms')
})

test('models for voices that come later are used with the engine that is there, which ends with them', async () => {
  const modelsDir = await mkdtemp(join(withModel, '.voices-'))
  await writeTinySpeakers(modelsDir)
  const { speakers } = await chosenModels(modelsDir)
  const ended: string[] = []
  const engine = anEngine({
    recognise: () => Promise.reject(new Error('nobody asks')),
    close: async () => void ended.push('engine'),
  })
  const better = withVoiceModels(engine, speakers!)
  expect(better).toMatchObject({
    name: 'test',
    diarizer: { name: 'tiny-segmentation and tiny-embedding' },
  })
  await better.close?.()
  expect(ended).toEqual(['engine'])
})
