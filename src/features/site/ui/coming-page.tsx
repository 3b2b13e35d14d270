import { ArrowLeft } from 'lucide-react'

import { BRAND } from '#shared/business.ts'
import { paths } from '#web/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { Pad } from '#web/ui/empty-pad.tsx'

/** Where a link leads whose page does not exist yet. It says so, and nothing else. */
export default function ComingPage() {
  return (
    <Container className="py-16 lg:py-22">
      <title>{`This page is being written · ${BRAND}`}</title>
      <meta name="robots" content="noindex" />
      <Pad>
        <h1 className="-ml-9 pl-9 font-display text-app leading-8! font-semibold sm:mb-px sm:-ml-16 sm:bg-paper sm:pl-16 sm:leading-[63px]!">
          This page is being written.
        </h1>
        <p className="mb-8 text-ink-2">
          It is not ready yet. Transcribing a recording already works.
        </p>
        <div className="-mb-8 flex h-24 items-center">
          <ButtonLink
            href={paths.start}
            reloadDocument
            variant="primary"
            icon={<ArrowLeft aria-hidden="true" strokeWidth={1.75} />}
          >
            Back to the start
          </ButtonLink>
        </div>
      </Pad>
    </Container>
  )
}
