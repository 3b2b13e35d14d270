import type { ReactNode } from 'react'

import { BRAND } from '#shared/business.ts'

import { classes } from './classes.ts'

/** A small turning ring for buttons and lines of text. Decorative: the text beside it speaks. */
export function Spinner({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      aria-hidden="true"
      className={classes('size-3.5 shrink-0 animate-turn', className)}
    >
      <circle
        cx="8"
        cy="8"
        r="6.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        opacity=".3"
      />
      <path
        d="M8 1.5A6.5 6.5 0 0 1 14.5 8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
    </svg>
  )
}

/**
 * A page or panel that is still coming: a playhead sweeping a short wave, shown after 150 ms so
 * that quick answers do not flash.
 */
function Loading() {
  return (
    <div role="status" className="grid min-h-[50vh] flex-1 place-items-center">
      <div className="animate-appear">
        <svg viewBox="0 0 28 24" width="28" height="24" aria-hidden="true" strokeLinecap="round">
          <path
            className="stroke-line"
            strokeWidth="3"
            d="M4 9v6M9 5v14M14 8v8M19 3v18M24 9v6"
            fill="none"
          />
          <path className="animate-sweep stroke-playhead" strokeWidth="2.5" d="M4 1.5v21" />
        </svg>
        <span className="sr-only">Loading</span>
      </div>
    </div>
  )
}

/** A whole page that is still coming; children may give it a title. */
export function LoadingPage({ children }: { children?: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className="flex">
      <h1 className="sr-only">{BRAND}</h1>
      {children ?? <title>{BRAND}</title>}
      <Loading />
    </main>
  )
}
