/** Hands values to one reader as they come. The reader waits for the next one. */
export interface Channel<T> extends AsyncIterable<T> {
  push(value: T): void
  /** Nothing comes any more. */
  end(): void
  /** Nothing comes any more. The reader gets the values that are left, then this is thrown. */
  fail(reason: unknown): void
}

export function channel<T>(): Channel<T> {
  const waiting: T[] = []
  let isOver = false
  let failure: { reason: unknown } | null = null
  let wake: () => void = () => undefined

  const over = () => {
    isOver = true
    wake()
  }
  return {
    push(value) {
      waiting.push(value)
      wake()
    },
    end: over,
    fail(reason) {
      failure = { reason }
      over()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield* waiting.splice(0)
        if (failure) throw failure.reason
        if (isOver) return
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
