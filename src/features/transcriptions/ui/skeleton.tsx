/** Placeholder of a result while it loads: name, tabs and six turns at their places. */
export function ResultsSkeleton() {
  return (
    <div className="animate-appear">
      <h1 className="sr-only">Transcription</h1>
      <output className="sr-only">Loading the transcription</output>
      <div aria-hidden="true">
        <div className="flex items-center max-lg:hidden lg:h-13">
          <Bar className="h-5 w-72" />
        </div>
        <div className="-mx-4 flex h-[45px] items-center gap-7 border-b border-rule px-4 sm:mx-0 sm:px-0">
          {[104, 78, 76, 52].map((width) => (
            <span key={width} className="h-4 rounded-mark bg-rule/60" style={{ width }} />
          ))}
        </div>
        <TurnBars />
      </div>
    </div>
  )
}

/** Placeholder of the turns alone, while their words are fetched. */
export function TurnsSkeleton() {
  return (
    <div className="animate-appear">
      <output className="sr-only">Loading the words</output>
      <div aria-hidden="true">
        <TurnBars />
      </div>
    </div>
  )
}

function TurnBars() {
  return (
    <div className="pt-3.5">
      {[92, 80, 44, 88, 60, 76].map((width) => (
        <div
          key={width}
          className="gap-x-4 py-[9px] lg:grid lg:grid-cols-[48px_148px_minmax(0,660px)]"
        >
          <Bar className="h-4 w-9 max-lg:hidden" />
          <Bar className="h-5 w-28 max-lg:mb-2" />
          <div className="space-y-2.5">
            <Bar className="h-5" width={width} />
            {width > 60 ? <Bar className="h-5" width={width - 30} /> : null}
          </div>
        </div>
      ))}
    </div>
  )
}

function Bar({ className, width }: { className: string; width?: number }) {
  return (
    <div
      className={`max-w-full rounded-mark bg-rule/60 ${className}`}
      style={width === undefined ? undefined : { width: `${width}%` }}
    />
  )
}
