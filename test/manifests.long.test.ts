/**
 * The manifests of deploy/kubernetes as typed constants: the compiler finds fields that do not exist,
 * which Kubernetes would ignore in silence, and types that are wrong. The types are 41 MB, so they
 * are installed for this run alone.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

import { hasKustomize, kustomize, overlays } from './kustomize.ts'

const run = promisify(execFile)
const TYPES = [
  'kubernetes-models@5.1.0',
  '@kubernetes-models/keda@2.0.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
]
const packages: Readonly<Record<string, string>> = {
  'keda.sh': '@kubernetes-models/keda',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
}
const Manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() })
const tsc = fileURLToPath(new URL('../node_modules/.bin/tsc', import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quoth-manifests-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...TYPES], {
    cwd: folder,
  })
}, 300_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Typed {
  kind: string
  /** The module that knows it. */
  from: string
  json: string
}

function manifestsIn(yaml: string): Typed[] {
  return parseAllDocuments(yaml, { merge: true }).map((document) => {
    const manifest = Manifest.parse(document.toJS())
    const [version = '', group = ''] = manifest.apiVersion.split('/').toReversed()
    const from = [packages[group] ?? 'kubernetes-models', ...(group ? [group] : []), version]
    return { kind: manifest.kind, from: from.join('/'), json: JSON.stringify(manifest, null, 1) }
  })
}

/** The errors of the compiler about their fields, and of the schemas about their values. */
async function objections(yaml: string): Promise<string[]> {
  const manifests = manifestsIn(yaml)
  const typed = manifests.map(
    ({ kind, from, json }, n) =>
      `import type { I${kind} as T${n} } from '${from}'\nexport const o${n}: T${n} = ${json}\n`,
  )
  await writeFile(join(folder, 'manifests.ts'), typed.join(''))
  const options = [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--ignoreConfig',
  ]
  const compiled = await said(tsc, [...options, 'manifests.ts'])
  // The schema of a Secret refuses all data: it knows no format "byte".
  const valued = manifests
    .filter(({ kind }) => kind !== 'Secret')
    .map(
      ({ kind, from, json }, n) =>
        `import { ${kind} as K${n} } from '${from}'\ntry { new K${n}(${json}).validate() } catch (error) { console.log('error: ${kind}', error.message) }\n`,
    )
  await writeFile(join(folder, 'manifests.mjs'), valued.join(''))
  const checked = await said(process.execPath, ['manifests.mjs'])
  return `${compiled}\n${checked}`.split('\n').filter((line) => line.includes('error'))
}

const said = (program: string, args: string[]): Promise<string> =>
  run(program, args, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string; stderr: string }) => `${error.stdout}\n${error.stderr}`,
  )

const whole = globSync('deploy/kubernetes/{base,seccomp}/*.yaml').filter(
  (name) => !name.endsWith('kustomization.yaml'),
)

test('every manifest has only fields that there are', async () => {
  const yaml = whole.map((file) => readFileSync(file, 'utf8')).join('\n---\n')
  expect(await objections(yaml)).toEqual([])
  const misspelt = yaml.replace('maxUnavailable: 1', 'maxUnavailabel: 1')
  expect((await objections(misspelt)).join()).toContain('maxUnavailabel')
  const ofWrongType = yaml.replace("targetQueryValue: '1'", 'targetQueryValue: 1')
  expect((await objections(ofWrongType)).join()).toContain('targetQueryValue')
})

test.runIf(hasKustomize()).each(overlays)(
  '%s is put together, and what comes out is right',
  async (overlay) => {
    expect(await objections(kustomize(overlay))).toEqual([])
  },
)
