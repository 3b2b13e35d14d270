import { BRAND } from '#shared/business.ts'
import { paths } from '#web/paths.ts'
import { Container } from '#web/ui/container.tsx'

import { ContactForm } from './contact-form.tsx'
import { PageHead } from './page-head.tsx'

const help = [
  <>
    The reference on the result or error page. <strong>Not</strong> the recording itself.
  </>,
  'What you did, what you expected, what happened.',
  'For a refund, the date of the payment.',
]

export default function ContactPage() {
  return (
    <Container className="py-10 lg:pt-18 lg:pb-24">
      <PageHead
        path={paths.contact}
        title={`Contact · ${BRAND}`}
        description="Ask a question, report a problem or talk about Enterprise. We reply within 24 hours."
      />
      <h1 className="font-display text-h1 font-semibold">Contact</h1>
      <p className="mt-4 text-lead text-ink-2">
        Ask a question, report a problem or talk about Enterprise.
      </p>
      <div className="mt-10 grid gap-x-16 gap-y-12 lg:grid-cols-[7fr_5fr]">
        <ContactForm />
        <aside aria-labelledby="help">
          <h2 id="help" className="font-display text-section font-semibold">
            What helps us help you
          </h2>
          <ul className="mt-4 border-t border-rule text-body">
            {help.map((line, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- the list never changes
              <li key={index} className="border-b border-rule py-3.5">
                {line}
              </li>
            ))}
          </ul>
          <p className="mt-5 text-body text-ink-2">
            Most answers are already in the{' '}
            <a href={paths.faq} className="text-link">
              FAQ
            </a>
            .
          </p>
        </aside>
      </div>
    </Container>
  )
}
