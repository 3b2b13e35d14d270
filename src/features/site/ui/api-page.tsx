import { Reference, reference } from '#features/developers/ui/reference.tsx'
import { BRAND } from '#shared/business.ts'
import { paths } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'

import { PageHead } from './page-head.tsx'

export default function ApiPage() {
  return (
    <Container className="pt-10 pb-16 lg:pt-14 lg:pb-22">
      <PageHead
        path={paths.api}
        title={`${reference.title} · ${BRAND}`}
        description={reference.description}
      />
      <h1 className="font-display text-h1 font-semibold">The API</h1>
      <p className="mt-3 max-w-[62ch] text-body text-ink-2">
        Create and read transcriptions over HTTP with a bearer token.
      </p>
      <Reference />
    </Container>
  )
}
