import { BRAND } from '#shared/business.ts'

import { paths } from './paths.ts'
import { Container } from './ui/container.tsx'
import { Wordmark } from './ui/mark.tsx'

export const handle = { static: true }

/** Filled by the server (server/plain-page.ts): kept mail, the test checkout, a receipt. */
export default function PlainPage() {
  return (
    <>
      <title>{`[[title]] · ${BRAND}`}</title>
      <meta name="robots" content="noindex, nofollow" />
      <header className="border-b border-rule">
        <Container className="flex h-15 items-center">
          <a href={paths.start} className="block w-fit">
            <Wordmark />
          </a>
        </Container>
      </header>
      <main id="main" tabIndex={-1}>
        <Container className="max-w-[48rem]! py-8 wrap-anywhere">[[body]]</Container>
      </main>
    </>
  )
}
