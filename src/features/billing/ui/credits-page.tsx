import { formatCredits } from '#shared/format.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { Loaded, ShowMore } from '#features/account/ui/loaded.tsx'
import { BRAND, LOW_CREDITS } from '#shared/business.ts'
import { paths } from '#web/paths.ts'
import { buttonClasses } from '#web/ui/button.tsx'
import { Figures } from '#web/ui/figures.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'

import { downloadCredits } from '../calls.ts'
import type { CreditPage } from '../contract.ts'
import { AlertForm } from './alert-form.tsx'
import { BuyCredits } from './credit-rail.tsx'
import { LedgerLine } from './ledger-line.tsx'
import { creditsQuery } from './queries.ts'
import { RefundRules } from './refund-rules.tsx'

/** Every credit that came or went, and what was left. */
export default function CreditsPage() {
  const query = useInfiniteQuery(creditsQuery)
  return (
    <>
      <title>{`Credits · ${BRAND}`}</title>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <h1 className="font-display text-app font-semibold">Credits</h1>
        <div className="flex flex-wrap gap-3">
          <a href={downloadCredits.path} download className={buttonClasses({ size: 'small' })}>
            <Download />
            Download CSV
          </a>
          <BuyCredits variant="primary" />
        </div>
      </div>
      <Loaded query={query} what="your credits">
        {({ pages }) => {
          const [newest] = pages
          return newest ? (
            <Books
              sums={newest}
              pages={pages}
              more={
                <ShowMore query={query} size="medium" className="mt-5">
                  Show older lines
                </ShowMore>
              }
            />
          ) : null
        }}
      </Loaded>
    </>
  )
}

function Books({
  sums,
  pages,
  more,
}: {
  sums: CreditPage
  pages: CreditPage[]
  more: React.ReactNode
}) {
  const lines = pages.flatMap((page) => page.lines)
  return (
    <>
      <Sums sums={sums} />
      {sums.available < LOW_CREDITS ? (
        <InlineError tone="warn" className="mt-5">
          {sums.available === 0
            ? 'You have no credits left. A file needs at least 1.'
            : `You have ${formatCredits(sums.available)} left. Longer files need more.`}
        </InlineError>
      ) : null}
      {lines.length === 0 ? (
        <p className="mt-8 text-ui text-ink-2">
          Nothing has moved your credits yet. The first file or payment will stand here.
        </p>
      ) : (
        <>
          <div
            aria-hidden="true"
            className="mt-8 hidden grid-cols-[8rem_6rem_1fr_4rem_5rem] gap-x-3 border-b border-line pb-2.5 text-small font-semibold text-ink-2 sm:grid"
          >
            <span>Date</span>
            <span>What</span>
            <span>For</span>
            <span className="text-right">Change</span>
            <span className="text-right">Balance</span>
          </div>
          <ol aria-label="Ledger, newest first" className="max-sm:mt-2">
            {lines.map((line) => (
              <LedgerLine key={line.id} line={line} />
            ))}
          </ol>
          <p className="mt-4 text-small text-ink-2">
            {sums.count === 1 ? '1 line.' : `${sums.count.toLocaleString('en-US')} lines.`} The
            balance is the sum of all of them.
          </p>
          {more}
        </>
      )}
      <AlertForm below={sums.alertBelow} />
      <div className="mt-8 border-t border-rule pt-4">
        <RefundRules />
        <a href={`${paths.subscribe}#how-credits-work`} className="ml-6 text-small text-link">
          How a price is made
        </a>
      </div>
    </>
  )
}

function Sums({ sums: { available, held, spent } }: { sums: CreditPage }) {
  return (
    <div className="mt-5 grid border-y border-rule lg:grid-cols-[auto_1fr]">
      <Figures
        className="lg:flex"
        figures={[
          ['Can be spent', available],
          ['Held for running jobs', held],
          ['Used so far', spent],
        ]}
      />
      <p className="border-rule py-4 text-small text-ink-2 max-lg:border-t lg:border-l lg:pl-6">
        One line for each job or payment. Open a line for its entries; entries are only ever added,
        never changed.
      </p>
    </div>
  )
}
