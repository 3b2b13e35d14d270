import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'

import type { ButtonSize, ButtonVariant } from './button.tsx'
import { Button } from './button.tsx'

/**
 * Copies a text and says so for two seconds, without changing its width. `<CopyButton text={text}
 * onCopied onFailed />`; toasts are the caller's, because the words differ from place to place.
 */
export function CopyButton({
  text,
  label = 'Copy',
  copiedLabel = 'Copied!',
  variant = 'secondary',
  size = 'small',
  onCopied,
  onFailed,
}: {
  text: string | (() => string)
  label?: string
  copiedLabel?: string
  variant?: ButtonVariant
  size?: ButtonSize
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
      await navigator.clipboard.writeText(typeof text === 'function' ? text() : text)
    } catch (error) {
      // Denied, or no clipboard on a page without https: the caller says what that means here.
      onFailed?.(error)
      return
    }
    setCopied(true)
    onCopied?.()
  }
  return (
    <Button variant={variant} size={size} onClick={() => void copy()}>
      {/* Both faces lie on one place, each in its middle; the hidden one holds the width. */}
      <span className="grid justify-items-center *:flex *:items-center *:gap-2 *:[grid-area:1/1]">
        <span className={isCopied ? 'invisible' : undefined}>
          <Copy aria-hidden="true" strokeWidth={1.75} />
          {label}
        </span>
        <span className={isCopied ? undefined : 'invisible'}>
          <Check aria-hidden="true" strokeWidth={1.75} />
          {copiedLabel}
        </span>
      </span>
    </Button>
  )
}
