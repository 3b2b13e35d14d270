/** Tests that the files of deploy/ fit the product. */
import { globSync, readFileSync } from 'node:fs'

import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { z } from 'zod'

import { queues } from '#root/worker.ts'
import { envExample, readConfig } from '#server/config.ts'

import { test } from './database.ts'
import { hasKustomize, kustomize, overlays } from './kustomize.ts'

const read = (name: string) => readFileSync(`deploy/${name}`, 'utf8')
const fileOf = (name: string) => `deploy/${name}`
const documentsOf = (file: string): unknown[] =>
  parseAllDocuments(readFileSync(file, 'utf8'), { merge: true }).map((each) => each.toJS())

const Env = z.array(z.object({ name: z.string(), value: z.string() }))
/** Every list of settings in a document, however deep. */
function settingsIn(value: unknown): Record<string, string>[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const env = key === 'env' ? Env.safeParse(inner).data : undefined
    if (env) return [Object.fromEntries(env.map((each) => [each.name, each.value]))]
    return settingsIn(inner)
  })
}
const inLines = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes('=') && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const Strings = z.record(z.string(), z.coerce.string())
const Compose = z.object({ 'x-settings': Strings })
const Local = z.object({
  services: z.record(
    z.string(),
    z.object({ environment: Strings.optional(), ports: z.string().array().default([]) }),
  ),
})
const local = Local.parse(documentsOf(fileOf('compose.local.yaml'))[0]).services
const Overlay = z.object({
  configMapGenerator: z.array(z.object({ literals: z.string().array() })),
})
const KUBERNETES = 'kubernetes/base/settings.env'
const example = 'kubernetes/overlays/example'
const lists = new Map<string, Record<string, string>>([
  ['compose.yaml', Compose.parse(documentsOf(fileOf('compose.yaml'))[0])['x-settings']],
  ['compose.local.yaml', local['quoth']?.environment ?? {}],
  [
    example,
    {
      ...inLines(read(KUBERNETES)),
      ...inLines(read(`${example}/secrets.env`)),
      ...inLines(
        Overlay.parse(documentsOf(fileOf(`${example}/kustomization.yaml`))[0])
          .configMapGenerator.flatMap(({ literals }) => literals)
          .join('\n'),
      ),
    },
  ],
])
const known = new Set(Object.keys(inLines(envExample().replaceAll(/^#(?=[A-Z_]+=)/gm, ''))))

test.each([...lists])(
  '%s sets only settings that there are, and a server starts with it',
  (_, given) => {
    expect(Object.keys(given).filter((name) => !known.has(name))).toEqual([])
    const filled = Object.entries(given).map(([name, value]) => [
      name,
      value.replace('${SMTP_URL:?}', 'smtp://mail.example').replaceAll(/\$\{\w+:\?\}/g, 'secret'),
    ])
    expect(readConfig({ ...Object.fromEntries(filled), ROLE: 'web' }).notices).toEqual([])
  },
)

test('the containers to try on one machine have nothing to fill in, and nobody else reaches them', () => {
  expect(read('compose.local.yaml')).not.toMatch(/\$\{/)
  const ports = Object.values(local).flatMap((service) => service.ports)
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  expect(readConfig(local['quoth']?.environment ?? {}).web.isLocal).toBe(true)
})

test('mails of the containers to try on one machine are shown on a page beside them', () => {
  const { mail } = readConfig(local['quoth']?.environment ?? {})
  const host = new URL(mail.smtpUrl ?? '').hostname
  expect(local[host]?.ports).toContain('127.0.0.1:8025:8025')
})

test('under systemd an upgrade that is not finished is told before the server starts', () => {
  expect(read('quoth.service')).toMatch(/^ExecStartPre=\S+ scripts\/setup\.mjs look$/m)
})

test('the containers of a cluster set only settings that there are', () => {
  const given = globSync('deploy/kubernetes/**/*.yaml').flatMap((file) =>
    settingsIn(documentsOf(file)),
  )
  const theirOwn = new Set(['HF_HOME'])
  const names = given.flatMap((each) => Object.keys(each))
  expect(names).toContain('ROLE')
  expect(names.filter((name) => !known.has(name) && !theirOwn.has(name))).toEqual([])
})

/** The fields that name a secret, a map, a claim or the like. */
const kindOf: Readonly<Record<string, string>> = {
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
  secretTargetRef: 'Secret',
  secretName: 'Secret',
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  configMap: 'ConfigMap',
  claimName: 'PersistentVolumeClaim',
  authenticationRef: 'TriggerAuthentication',
}
const Named = z.object({ name: z.string() }).transform(({ name }) => name)
const Names = z.union([z.string(), Named, z.array(Named)]).transform((names) => [names].flat())

/** Every such name in a document, however deep: "Secret quoth". */
function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const kind = kindOf[key]
    const names = kind === undefined ? undefined : Names.safeParse(inner).data
    return names ? names.map((name) => `${kind} ${name}`) : namesIn(inner)
  })
}
const Document = z.looseObject({ kind: z.string(), metadata: z.object({ name: z.string() }) })
/** The operator brings it, or their cert-manager does. */
const brought = 'Secret quoth-tls'

test.runIf(hasKustomize()).each(overlays)(
  'every secret, map and claim that %s names is there under that name',
  (overlay) => {
    const documents = parseAllDocuments(kustomize(overlay)).map((each) =>
      Document.parse(each.toJS()),
    )
    const there = documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    const named = documents.flatMap((each) => namesIn(each))
    expect(named).not.toHaveLength(0)
    expect(named.filter((each) => each !== brought && !there.includes(each))).toEqual([])
  },
)

const Labelled = z.object({
  metadata: z.object({ labels: z.object({ quoth: z.literal('before') }) }),
})

test.runIf(hasKustomize())(
  'the migration is applied before the rest, and with all it needs',
  () => {
    const before = parseAllDocuments(kustomize('deploy/kubernetes/overlays/example'))
      .map((each): unknown => each.toJS())
      .filter((each) => Labelled.safeParse(each).success)
    const kinds = before.map((each) => Document.parse(each).kind)
    expect(kinds.toSorted()).toEqual(['ConfigMap', 'Job', 'Namespace', 'Secret', 'Secret'])
    const there = before
      .map((each) => Document.parse(each))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    expect(namesIn(before).filter((each) => !there.includes(each))).toEqual([])
  },
)

const Scaled = z.object({
  spec: z.object({ triggers: z.array(z.object({ metadata: z.object({ query: z.string() }) })) }),
})

test('workers are counted by a query that the database answers', async ({ db }) => {
  const found = documentsOf(fileOf('kubernetes/base/worker-scaling.yaml')).map(
    (each) => Scaled.safeParse(each).data,
  )
  const query = found.find(Boolean)?.spec.triggers[0]?.metadata.query ?? ''
  const { rows } = await db.execute(sql.raw(query))
  expect(rows).toEqual([{ count: '0' }])
  const counted = /name in \(([^)]+)\)/.exec(query)?.[1]?.match(/[\w-]+/g)
  const names = queues.map(({ name }) => name)
  expect(counted?.filter((name) => !names.includes(name))).toEqual([])
})
