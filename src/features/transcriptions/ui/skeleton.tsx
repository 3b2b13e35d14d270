/** Placeholder of a result while it loads: name, facts, tabs and five turns at their places. */
export function ResultsSkeleton() {
  return (
    <div className="animate-appear">
      <h1 className="sr-only">Transcription</h1>
      <output className="sr-only">Loading the transcription</output>
      <div aria-hidden="true">
        <Bar className="mt-8 h-8 w-72 lg:mt-7" />
        <Bar className="mt-2.5 h-4 w-96" />
        <div className="mt-8 flex h-12 gap-7 border-b border-rule">
          {[104, 78, 76, 52].map((width) => (
            <span key={width} className="h-4 rounded-mark bg-rule/60" style={{ width }} />
          ))}
        </div>
        <div className="pt-16">
          <TurnBars />
        </div>
      </div>
    </div>
  )
}

/** Placeholder of the turns alone, while their words are fetched. */
export function TurnsSkeleton() {
  return (
    <div className="animate-appear pt-16">
      <output className="sr-only">Loading the words</output>
      <div aria-hidden="true">
        <TurnBars />
      </div>
    </div>
  )
}

function TurnBars() {
  return (
    <div className="py-3">
      {[92, 80, 44, 88, 60].map((width) => (
        <div key={width} className="gap-x-5 py-2.5 lg:grid lg:grid-cols-[156px_minmax(0,66ch)]">
          <Bar className="mb-2 h-5 w-28" />
          <div className="space-y-2.5">
            <Bar className="h-5" width={width} />
            <Bar className="h-5" width={width - 30} />
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
