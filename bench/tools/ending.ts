/** What a bench has started outlives it unless it is taken down, a PostgreSQL for ever. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Takes it down also when the bench is asked to end. Answers how to take it down otherwise. */
export function takenAlong(stop: () => Promise<unknown>): () => Promise<void> {
  const end = () => void stop().finally(() => process.exit(1))
  for (const signal of signals) process.once(signal, end)
  return async () => {
    await stop()
    for (const signal of signals) process.off(signal, end)
  }
}
