import { BuyCredits } from '#features/billing/ui/credit-rail.tsx'
import { Button } from '#web/ui/button.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import { PriceLine, SumLines, TooFewCredits } from './bill.tsx'

/** The end of a form by which a recording is transcribed again: what it takes, why it was refused, the acts. */
export function TranscribeAgain({
  required,
  available,
  because = null,
  problem,
  isPending,
  onCancel,
}: {
  required: number
  available: number
  because?: string | null
  /** Why it was refused; null before. */
  problem: unknown
  isPending: boolean
  onCancel: () => void
}) {
  const missing = required - available
  const isShort = missing > 0
  return (
    <>
      <dl className="mt-5 text-body">
        {problem ? (
          <PriceLine required={required} because={because} />
        ) : (
          <SumLines required={required} available={available} because={because} />
        )}
      </dl>
      {isShort ? <TooFewCredits missing={missing} /> : null}
      {/* In the place of the balance, and as high: a sheet that rises moves what is read in it. */}
      <Failure
        error={problem}
        otherwise="It was not started, and nothing was charged."
        className="min-h-[98px] border-t border-rule pt-2.5"
      />
      <DialogActions className="*:w-full *:sm:w-auto">
        <Button disabled={isPending} onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          variant="primary"
          disabled={isShort}
          pending={isPending}
          {...(isShort ? { title: 'You have too few credits' } : {})}
        >
          Transcribe again
        </Button>
        {isShort ? <BuyCredits variant="primary" size="medium" isMain /> : null}
      </DialogActions>
    </>
  )
}
