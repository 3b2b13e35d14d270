import { useLacks } from '#web/capabilities.ts'

/** A warning before a document is paid for, where no language model writes it; else null. */
export function useMadeOf(): string | null {
  const lacks = useLacks()
  return lacks('documentsByModel') ? 'put together from sentences of the transcript' : null
}
