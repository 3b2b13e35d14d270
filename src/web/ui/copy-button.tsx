import { Check, Copy } from 'lucide-react'
import { type Ref, useEffect, useState } from 'react'

import { type Formatted, copyToClipboard } from '../clipboard.ts'
import { Button, type ButtonSize, type ButtonVariant } from './button.tsx'

/**
 * Copies a text and says so for two seconds, without changing its width. `<CopyButton text={text}
 * onCopied onFailed />`; without `onCopied` screen readers are told too. What fails is the caller's to say. A
 * text that is long, or has formatting, is made when the button is pressed.
 */
export function CopyButton({
  text,
  label = 'Copy',
  copiedLabel = 'Copied!',
  variant = 'secondary',
  size = 'small',
  hasIcon = true,
  className,
  ref,
  onCopied,
  onFailed,
  ...rest
}: {
  text: string | (() => string | Formatted | Promise<string | Formatted>)
  label?: string
  copiedLabel?: string
  variant?: ButtonVariant
  size?: ButtonSize
  hasIcon?: boolean
  className?: string
  disabled?: boolean
  'aria-label'?: string
  'aria-describedby'?: string
  ref?: Ref<HTMLButtonElement>
  onCopied?: () => void
  onFailed?: (error: unknown) => void
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [isCopied])

  const copy = async () => {
    try {
      const made = typeof text === 'function' ? await text() : text
      await copyToClipboard(made)
    } catch (error) {
      // The user or the browser forbids it. The caller shows an error.
      onFailed?.(error)
      return
    }
    setCopied(true)
    onCopied?.()
  }
  return (
    <>
      <Button
        {...rest}
        {...{ ref, variant, size }}
        {...(className ? { className } : {})}
        onClick={() => void copy()}
      >
        {/* Both labels lie on top of each other, so that the width never changes. */}
        <span className="grid justify-items-center *:flex *:items-center *:gap-2 *:[grid-area:1/1]">
          <span className={isCopied ? 'invisible' : undefined}>
            {hasIcon ? <Copy /> : null}
            {label}
          </span>
          <span className={isCopied ? undefined : 'invisible'}>
            <Check />
            {copiedLabel}
          </span>
        </span>
      </Button>
      {onCopied ? null : (
        <span aria-live="polite" className="sr-only">
          {isCopied ? copiedLabel : ''}
        </span>
      )}
    </>
  )
}
