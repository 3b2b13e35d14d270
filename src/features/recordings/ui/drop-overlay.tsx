/** Covers the whole page while a file is held over it. */
export function DropOverlay() {
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-0 z-30 grid place-items-center bg-paper/90 p-6"
    >
      <div aria-hidden="true" className="absolute inset-0 bg-marker opacity-30" />
      <div aria-hidden="true" className="absolute inset-x-0 top-0 h-1.5 overflow-hidden">
        <div className="h-full w-24 animate-cross rounded-full bg-playhead" />
      </div>
      <div aria-hidden="true" className="absolute inset-4 rounded-panel border-2 border-ink" />
      <p className="relative font-display text-h1 font-semibold">Drop your file here</p>
    </div>
  )
}
