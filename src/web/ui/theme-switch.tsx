import { useTheme, themes } from '#web/theme.ts'

import { classes } from './classes.ts'

/** System, light, dark. Works without the app: inline/theme.js listens to data-theme-choice. */
export function ThemeSwitch({ className }: { className?: string }) {
  const theme = useTheme()
  return (
    <div
      role="group"
      aria-label="Theme"
      className={classes(
        'inline-flex overflow-hidden rounded-control border border-line',
        className,
      )}
    >
      {themes.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          data-theme-choice={value}
          aria-pressed={value === theme}
          className={classes(
            'relative h-9 border-rule px-3 text-small font-semibold text-ink-2 -outline-offset-2! pointer-coarse:h-11 not-first:border-l hover:text-ink',
            'aria-pressed:bg-paper-2 aria-pressed:text-ink aria-pressed:shadow-[inset_0_-2px_0_var(--color-primary)]',
          )}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
