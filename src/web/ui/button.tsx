import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'

import { classes } from './classes.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'danger-outline' | 'quiet'
export type ButtonSize = 'small' | 'medium' | 'large'

interface Look {
  /**
   * primary: the one main act. secondary: everything else. quiet: text only, for toolbars and rows.
   */
  variant?: ButtonVariant | undefined
  /** small 36 px (44 on touch and phones), medium 44, large 50 (heroes). */
  size?: ButtonSize | undefined
  /** A lucide icon before the label. While pending the spinner takes its place. */
  icon?: ReactNode
  /** A lucide icon after the label, for example the arrow of a link that leaves. */
  iconAfter?: ReactNode
}

const variants: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-primary text-primary-fg hover:bg-primary-hover',
  secondary: 'border-line bg-transparent text-ink hover:bg-paper-2 aria-expanded:bg-paper-2',
  danger: 'border-transparent bg-danger text-danger-fg hover:brightness-90',
  'danger-outline': 'border-danger bg-transparent text-danger hover:bg-danger-tint',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-paper-2 hover:text-ink',
}
const sizes: Record<ButtonSize, string> = {
  small: 'h-11 gap-2 px-3.5 text-small sm:h-9 pointer-coarse:h-11',
  medium: 'h-11 gap-2 px-5 text-ui',
  large: 'h-[3.125rem] gap-2.5 px-[1.375rem] text-body',
}

/** For elements that must look like a button but are not ours to render. */
export function buttonClasses({ variant = 'secondary', size = 'medium' }: Look = {}): string {
  return classes(
    'inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-control border font-semibold leading-none no-underline transition-colors select-none',
    'disabled:cursor-not-allowed disabled:border-rule disabled:bg-paper-2 disabled:text-ink-3',
    '[&_svg]:size-5 [&_svg]:shrink-0',
    variants[variant],
    sizes[size],
  )
}

interface ButtonProps extends Look, ComponentProps<'button'> {
  /**
   * Work is going on: the label and the width stay, a spinner appears, presses are ignored, focus
   * stays.
   */
  pending?: boolean
}

/**
 * `<Button variant="primary" size="large" pending icon={<Upload />}>`; type is "button" unless said
 * otherwise.
 */
export function Button({
  variant,
  size,
  icon,
  iconAfter,
  pending = false,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- "button" by default, passed on from the
      // caller
      type={type}
      onClick={press}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      className={classes(buttonClasses({ variant, size }), className)}
    >
      <Inside icon={icon} iconAfter={iconAfter} pending={pending}>
        {children}
      </Inside>
    </button>
  )
}

interface ButtonLinkProps extends Look, ComponentProps<'a'> {
  href: string
}

/**
 * A link that looks like a button. Paths inside the app are followed without a page load; a
 * `target`, `reloadDocument` or an address outside the app loads as usual.
 */
export function ButtonLink({
  variant,
  size,
  icon,
  iconAfter,
  className,
  children,
  href,
  reloadDocument = false,
  ...rest
}: ButtonLinkProps & { reloadDocument?: boolean }) {
  return (
    <Link
      {...rest}
      to={href}
      reloadDocument={reloadDocument}
      className={classes(buttonClasses({ variant, size }), className)}
    >
      <Inside icon={icon} iconAfter={iconAfter}>
        {children}
      </Inside>
    </Link>
  )
}

/** A square button with an icon only. Its label is its name and its tooltip's text. */
export function IconButton({
  label,
  size = 'small',
  variant = 'quiet',
  className,
  children,
  ...rest
}: Omit<ButtonProps, 'icon' | 'iconAfter' | 'pending'> & { label: string }) {
  return (
    <Button
      {...rest}
      aria-label={label}
      variant={variant}
      size={size}
      className={classes(
        size === 'small' ? 'w-11 sm:w-9 pointer-coarse:w-11' : 'w-11',
        'px-0!',
        className,
      )}
    >
      {children}
    </Button>
  )
}

function Inside({
  icon,
  iconAfter,
  pending = false,
  children,
}: Pick<Look, 'icon' | 'iconAfter'> & { pending?: boolean; children: ReactNode }) {
  if (icon || iconAfter)
    return (
      <>
        {pending ? <Spinner className="mx-[3px] size-3.5!" /> : icon}
        {children}
        {iconAfter}
      </>
    )
  // The spinner hangs out into the padding, so that the button keeps its width.
  return pending ? (
    <span className="relative">
      <Spinner className="absolute top-1/2 right-full -mt-[6px] mr-[3px] size-3! sm:mr-1" />
      {children}
    </span>
  ) : (
    children
  )
}
