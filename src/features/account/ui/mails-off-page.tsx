import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { addressOf } from '#shared/call.ts'
import { ApiError, request, sentenceOf } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { Wordmark } from '#web/ui/mark.tsx'

import { switchMailsOff } from '../calls.ts'

/**
 * Behind the link in a mail that says that work is done. Opened in a browser it switches these mails
 * off at once; a scanner that only fetches it changes nothing.
 */
export default function MailsOffPage() {
  const [search] = useSearchParams()
  const query = { key: search.get('key') ?? '' }
  const { isPending, isFetching, error, refetch } = useQuery({
    queryKey: [addressOf(switchMailsOff, { query })],
    queryFn: async () => (await request(switchMailsOff, { query })).ok,
  })
  const isNobodys = error instanceof ApiError && error.status < 500
  const title = error ? 'Nothing was changed' : isPending ? 'One moment' : 'These mails are off'
  return (
    <main id="main" tabIndex={-1}>
      <title>{`${title} · ${BRAND}`}</title>
      <meta name="robots" content="noindex" />
      <Container className="py-8">
        <a href={paths.start} className="block w-fit">
          <Wordmark />
        </a>
        <div role="status">
          <h1 className="mt-16 font-display text-app font-semibold">{title}</h1>
          <p className="mt-3 max-w-[66ch] text-ink-2">
            {isNobodys
              ? 'This link belongs to no account. Open it as it stands in the mail, or use the switch on your account page.'
              : error
                ? sentenceOf(error)
                : isPending
                  ? 'Switching the mails off…'
                  : `${BRAND} no longer mails you when a transcription is ready. Mails about your account and your payments still come.`}
          </p>
        </div>
        {isPending ? null : (
          <p className="mt-6 flex flex-wrap gap-3">
            {error && !isNobodys ? (
              <Button variant="primary" pending={isFetching} onClick={() => void refetch()}>
                Try again
              </Button>
            ) : (
              <a href={paths.account} className="inline-flex min-h-11 items-center text-link">
                Change it on your account page
              </a>
            )}
          </p>
        )}
      </Container>
    </main>
  )
}
