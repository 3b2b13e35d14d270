const WIDTHS = [40, 62, 34, 50, 46, 30, 58, 38]

/** Places of rows while they load, as high as rows are. */
export function RowsSkeleton({ count }: { count: number }) {
  return (
    <div className="animate-appear">
      <output className="sr-only">Loading your library</output>
      <div aria-hidden="true" className="border-line lg:border-t">
        {WIDTHS.slice(0, count).map((width) => (
          <div
            key={width}
            className="flex h-[95px] items-center gap-5 border-b border-rule lg:h-[72px]"
          >
            <span className="h-7 w-24 shrink-0 rounded-mark bg-paper-2 max-lg:hidden" />
            <span className="min-w-0 flex-1 space-y-2.5">
              <span className="block h-4 rounded-mark bg-rule/60" style={{ width: `${width}%` }} />
              <span
                className="block h-3.5 rounded-mark bg-paper-2"
                style={{ width: `${width + 20}%` }}
              />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
