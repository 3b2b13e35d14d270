import { BRAND } from '#shared/business.ts'

import { classes } from './classes.ts'

/** A Q made of waveform bars; its tail is the playhead. */
function Mark({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 32 32"
      fill="none"
      strokeWidth="2.9"
      strokeLinecap="round"
      aria-hidden="true"
      className={classes('size-[30px] shrink-0', className)}
    >
      <path
        stroke="currentColor"
        d="M3.4 10v9M7.3 5.5v18M11.1 3.5v3.2M11.1 22.3v3.2M15 3v2.7M15 23.3V26M18.9 3.5v3.2M18.9 22.3v3.2M26.6 10v9"
      />
      <path className="stroke-playhead" d="M22.7 5.5v24.3" />
    </svg>
  )
}

/** The mark and the name, read out as one image. `small` is for the signed-in header. */
export function Wordmark({
  size = 'medium',
  className,
}: {
  size?: 'small' | 'medium'
  className?: string
}) {
  return (
    <span className={classes('flex items-center gap-2.5 text-ink', className)}>
      <Mark />
      <span
        className={classes(
          'font-display leading-none font-[650] tracking-[-0.02em]',
          size === 'small' ? 'text-[1.4rem]' : 'text-[1.5rem]',
        )}
      >
        {BRAND}
      </span>
    </span>
  )
}
