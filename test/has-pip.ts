import { spawnSync } from 'node:child_process'

export const PATH = process.env['PATH']

/** Whether tests can use pip. In CI it is part of the set-up, so there they fail without it. */
export const hasPip =
  process.env['CI'] !== undefined ||
  spawnSync('python3', ['-m', 'pip', '--version'], { stdio: 'ignore' }).status === 0
