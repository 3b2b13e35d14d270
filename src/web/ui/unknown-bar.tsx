/**
 * Something is going on, and nobody knows how far it is. Where motion is unwelcome there is none: a bar
 * that stands still would say "one half".
 */
export function UnknownBar() {
  return (
    <div
      aria-hidden="true"
      className="mt-3 h-1 overflow-hidden rounded-full bg-rule motion-reduce:hidden"
    >
      <div className="h-full w-1/2 animate-pulse border-r-2 border-playhead bg-ink-2" />
    </div>
  )
}
