import { useQuery } from '@tanstack/react-query'

import { Section } from '#features/account/ui/account-section.tsx'
import { Loaded } from '#features/account/ui/loaded.tsx'

import { percentRight } from '#features/text/ui/accuracy.ts'
import { accuracyQuery } from '#features/text/ui/words-query.ts'

/** On the account's page: how right each engine was, by what the user has corrected. */
// oxlint-disable-next-line import/no-default-export -- the router takes it as the inside of a page
export default function AccuracySection() {
  const query = useQuery(accuracyQuery)
  return (
    <Section
      title="How right your texts were"
      lead="Counted from your own corrections, in the recordings you have gone through. Nobody else’s are in it."
    >
      <Loaded query={query} what="what was counted">
        {(engines) =>
          engines.length === 0 ? (
            <p className="mt-3 text-body">
              Nothing is counted yet. Go through the words to check of a recording, or all of its
              text, and it stands here.
            </p>
          ) : (
            <dl className="mt-4 border-t border-rule">
              {engines.map(({ engine, recordings, ...accuracy }) => (
                <div
                  key={engine}
                  className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-rule py-3"
                >
                  <dt className="font-semibold wrap-anywhere">
                    {engine === 'pocketsphinx' ? 'The embedded engine' : engine}
                  </dt>
                  <dd className="text-ui text-ink-2 tabular-nums">
                    <strong className="font-semibold text-ink">
                      {percentRight(accuracy)}% right
                    </strong>
                    {`: ${accuracy.corrected.toLocaleString('en-US')} of ${accuracy.words.toLocaleString('en-US')} words corrected in ${recordings === 1 ? 'one recording' : `${recordings.toLocaleString('en-US')} recordings`}`}
                  </dd>
                </div>
              ))}
            </dl>
          )
        }
      </Loaded>
    </Section>
  )
}
