export interface WithResolvers<T> {
  promise: Promise<T>
  resolve: (value: T | PromiseLike<T>) => void
  reject: (reason?: unknown) => void
}

/** `Promise.withResolvers`, which the oldest browsers that pages run in do not have. */
export function withResolvers<T>(): WithResolvers<T> {
  let settle: Omit<WithResolvers<T>, 'promise'> | undefined
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  if (!settle) throw new Error('a promise calls its function at once')
  return { promise, ...settle }
}
