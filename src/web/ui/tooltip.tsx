import { Tooltip as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { useState } from 'react'

/** Once round the signed-in pages: tooltips wait 700 ms, the next one within 300 ms comes at once. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Radix.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Radix.Provider>
  )
}

/** `<Tooltip text="Buy credits"><a …/></Tooltip>`; extra help only, the element has its own name. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  // Beside its element in the document, so that it belongs to that landmark.
  const [place, setPlace] = useState<HTMLElement | null>(null)
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <span ref={setPlace} className="contents" />
      <Radix.Portal container={place}>
        <Radix.Content
          sideOffset={6}
          collisionPadding={16}
          className="z-50 max-w-72 rounded-control bg-ink px-2.5 py-1.5 text-fine text-paper data-[state=delayed-open]:animate-fade-in"
        >
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
