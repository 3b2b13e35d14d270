/** The codes by which a program tells errors apart: their own, and those of their causes. */

/** Causes that go in a circle come to an end here. */
const MOST_CAUSES = 8

/** The error itself, and what caused it, one after the other. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let at = error; at instanceof Error && causes.length < MOST_CAUSES; at = at.cause)
    causes.push(at)
  return causes
}

/** An SQLSTATE, or the system's `ENOENT`, or a library's own; empty where it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

export const codesOf = (error: unknown): string[] => causesOf(error).map(codeOf)
