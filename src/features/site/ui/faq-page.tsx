import { BRAND, REPLY_HOURS } from '#shared/business.ts'
import { paths } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'

import { Accordion } from './accordion.tsx'
import { faq } from './faq.ts'
import { PageHead } from './page-head.tsx'

export default function FaqPage() {
  return (
    <Container className="grid gap-x-16 gap-y-9 py-10 lg:grid-cols-[5fr_7fr] lg:pt-18 lg:pb-24">
      <PageHead path={paths.faq} title={`${faq.title} · ${BRAND}`} description={faq.description} />
      <div>
        <h1 className="font-display text-h1 font-semibold">Questions, answered plainly.</h1>
        <p className="mt-4 text-body text-ink-2">
          Something else?{' '}
          <a href={paths.contact} className="text-link">
            Write to us
          </a>
          , we reply within {REPLY_HOURS} hours.
        </p>
      </div>
      <Accordion name="faq" questions={faq.sections} />
    </Container>
  )
}
