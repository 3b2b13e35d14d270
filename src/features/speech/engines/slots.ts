/** A fixed number of things at once; whoever comes when all are taken waits in line. */
export interface Slots {
  /** Waits for a slot; leaving the `await using` block gives it back. Aborting leaves the line. */
  take(signal: AbortSignal): Promise<AsyncDisposable>
}

export function slots(count: number): Slots {
  const line: (() => void)[] = []
  let free = count

  const giveBack = () => {
    const next = line.shift()
    if (next) next()
    else free += 1
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      if (free > 0) free -= 1
      else
        await new Promise<void>((resolve, reject) => {
          const turn = () => {
            signal.removeEventListener('abort', leave)
            resolve()
          }
          const leave = () => {
            line.splice(line.indexOf(turn), 1)
            reject(signal.reason)
          }
          line.push(turn)
          signal.addEventListener('abort', leave, { once: true })
        })
      return {
        [Symbol.asyncDispose]: async () => giveBack(),
      }
    },
  }
}
