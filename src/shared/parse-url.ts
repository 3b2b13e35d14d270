/** `URL.parse`, which the oldest browsers that pages run in do not have. */
export function parseUrl(address: string, base?: string): URL | null {
  try {
    return new URL(address, base)
  } catch {
    return null
  }
}
