import { useLacks } from '#web/capabilities.ts'

/** What documents are here, said before one is paid for; null where a language model writes them. */
export function useMadeOf(): string | null {
  const lacks = useLacks()
  return lacks('documentsByModel') ? 'put together from sentences of the transcript' : null
}
