import { globSync, readFileSync } from 'node:fs'

import { defineConfig } from 'vitest/config'

import { isLong, leftOut } from './test/long.ts'

const files = globSync('{src,test,scripts,bench}/**/*.test.{ts,tsx}', { exclude: leftOut })

/**
 * A test file that looks at its process or changes it has a process of its own. All the others share
 * three: what they import is loaded three times, and not once for each of them. Those of their own
 * go first, and with them the crash test, because it takes long.
 */
const ofItsProcess =
  /process\.(on|chdir|memory|kill|exit)|diagnostics_channel|(children|descendants)Of|toFake|\.\/crashes/
const alone = files.filter((file) => ofItsProcess.test(readFileSync(file, 'utf8')))

export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // More than two cores ask for: a third of the time a test waits for PostgreSQL or a decoder.
    maxWorkers: 3,
    testTimeout: isLong ? 300_000 : 120_000,
    // On a busy machine what a test waits for comes late. It is no reason to fail, so no test that
    // waits for an event gives less.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: files.filter((file) => !alone.includes(file)),
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
})
