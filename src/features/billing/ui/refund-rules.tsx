import { ChevronRight } from 'lucide-react'

import { refundRules } from '#shared/business.ts'
import { paths } from '#web/paths.ts'

/** The rules for money and credits when somebody changes their mind, folded. */
export function RefundRules() {
  return (
    <details className="group mt-2 text-small text-ink-2">
      <summary className="-mx-1 inline-flex min-h-9 items-center pointer-coarse:min-h-11 gap-2 px-1 font-semibold">
        <ChevronRight size={16} className="transition-transform group-open:rotate-90" />
        Refunds and cancelling
      </summary>
      <ul className="grid max-w-[66ch] list-disc gap-y-1.5 pt-1 pb-2 pl-10">
        {refundRules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <a href={`${paths.contact}?type=billing`} className="ml-6 text-link">
        Write to us about a payment
      </a>
    </details>
  )
}
