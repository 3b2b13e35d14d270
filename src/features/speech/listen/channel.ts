/** Values that come one by one, for one reader, who waits for those that are still to come. */
export interface Channel<T> extends AsyncIterable<T> {
  push(value: T): void
  /** Nothing comes any more. */
  end(): void
  /** Nothing comes any more, for this reason: the reader sees it when all before it was read. */
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
