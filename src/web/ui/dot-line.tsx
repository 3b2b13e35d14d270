import { Children, type ReactNode } from 'react'

/**
 * Facts in a row with a dot between them: `<DotLine><Timecode s={402} /><span>English</span></DotLine>`.
 * A dot belongs to what follows it and hangs out to the left, where it is cut off at the start of a
 * line, so no line begins or ends with one.
 */
export function DotLine({ children }: { children: ReactNode }) {
  return (
    // The 4 px are for focus rings.
    <span className="-ml-1 block overflow-x-clip pl-1">
      <span className="-ml-3.5 flex flex-wrap">
        {Children.map(children, (child) => (
          <span className="relative min-w-0 pl-3.5 before:absolute before:left-[5px] before:content-['·'/'']">
            {child}
          </span>
        ))}
      </span>
    </span>
  )
}
