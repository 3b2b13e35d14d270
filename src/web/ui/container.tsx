import type { ComponentProps } from 'react'

import { classes } from './classes.ts'

/** 1280 px of content; header, body and footer stand in one, so that their left edges line up. */
export function Container({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      {...rest}
      className={classes('mx-auto w-full max-w-[85rem] px-4 sm:px-6 lg:px-10', className)}
    />
  )
}
