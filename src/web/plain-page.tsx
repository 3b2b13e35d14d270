import { BRAND } from '#shared/business.ts'

import { BrandHeader } from './ui/brand-header.tsx'
import { Container } from './ui/container.tsx'

export const handle = { static: true }

/** Filled by the server (server/plain-page.ts): kept mail, the test checkout, a receipt. */
export default function PlainPage() {
  return (
    <>
      <title>{`[[title]] · ${BRAND}`}</title>
      <meta name="robots" content="noindex, nofollow" />
      <BrandHeader />
      <main id="main" tabIndex={-1}>
        <Container className="max-w-[48rem]! py-8 wrap-anywhere">[[body]]</Container>
      </main>
    </>
  )
}
