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
      // The user forbids it, or the page has no https and so no clipboard. The caller shows an
      // error.
      onFailed?.(error)
      return
    }
    setCopied(true)
    onCopied?.()
  }
  return (
    <Button variant={variant} size={size} onClick={() => void copy()}>
      {/* Both labels lie on top of each other, so that the width never changes. */}
      <span className="grid justify-items-center *:flex *:items-center *:gap-2 *:[grid-area:1/1]">
        <span className={isCopied ? 'invisible' : undefined}>
          <Copy />
          {label}
        </span>
        <span className={isCopied ? undefined : 'invisible'}>
          <Check />
          {copiedLabel}
        </span>
      </span>
    </Button>
  )
}
