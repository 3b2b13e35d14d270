import Fastify, { type FastifyInstance } from 'fastify'

import { addHealth, type Health } from './health.ts'
import { addMetrics, type Metrics } from './metrics.ts'

/**
 * The server of OPS_PORT, with the probes and /metrics alone. A worker has one too. It answers before all
 * else, so that a process that waits for the database is not taken for dead.
 */
export function buildDoor(
  health: Health,
  {
    metrics = null,
    token = null,
  }: { metrics?: (() => Metrics | null) | null; token?: string | null } = {},
): FastifyInstance {
  const door = Fastify()
  addHealth(door, health)
  if (metrics) addMetrics(door, { metrics, health, token })
  return door
}
