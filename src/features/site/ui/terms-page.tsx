import { creditsFor } from '#features/credits/contract.ts'
import {
  BRAND,
  DOCUMENT_CREDITS,
  MAX_DURATION_HOURS,
  MAX_UPLOAD_MB,
  MONEY_BACK_DAYS,
  refundRules,
  RETENTION_DAYS,
  rollover,
  SIGNUP_CREDITS,
} from '#shared/business.ts'
import { paths } from '#web/paths.ts'

import { type Clause, LegalPage } from './legal-page.tsx'
import { PageHead } from './page-head.tsx'

const link = (href: string, text: string) => (
  <a href={href} className="text-link">
    {text}
  </a>
)

const inShort = {
  head: ['You', 'We'],
  rows: [
    ['Upload only what you may', 'Work on it only for you'],
    ['See the price before you confirm', 'Charge only what was shown'],
    ['Check the text before you rely on it', 'Show what we are less sure of'],
    ['Cancel any time', `Give money back within ${MONEY_BACK_DAYS} days on request`],
    ['Take everything with you', `Delete recordings after ${RETENTION_DAYS} days`],
  ],
}

const clauses: readonly Clause[] = [
  {
    title: 'The service and its limits',
    body: (
      <>
        <p>
          {BRAND} makes text, summaries, speaker labels and documents from recordings that you
          upload: one file at a time, up to {MAX_UPLOAD_MB}MB and {MAX_DURATION_HOURS} hours. “We”
          are whoever runs this server.
        </p>
        <p>
          All of it is machine output. It contains errors, also where it reads well. Figures for
          accuracy and speed on our pages are targets unless they are stated as measured. Check what
          matters against the recording before you rely on it, and before you publish it as
          somebody’s words.
        </p>
      </>
    ),
  },
  {
    title: 'Your account',
    body: (
      <p>
        One person, one account, with an email address that you can read. Keep your password to
        yourself, and tell us through {link(paths.contact, 'Contact')} if somebody else has used
        your account. Accounts made in numbers to collect free credits are closed.
      </p>
    ),
  },
  {
    title: 'Your content',
    body: (
      <p>
        What you upload, and what is made from it, stays yours. You allow us to store and process
        it, and to pass it to the processors named in the {link(paths.privacy, 'privacy policy')},
        as far as is needed to give you the result. This permission ends when the content is
        deleted.
      </p>
    ),
  },
  {
    title: 'Consent to record',
    body: (
      <p>
        The law on recording differs by place. Getting the consent of the people you record, and the
        right to process recordings of others, is yours to do. We cannot know it for you.
      </p>
    ),
  },
  {
    title: 'Acceptable use',
    body: (
      <ul>
        <li>No recordings that were made in secret where that is unlawful.</li>
        <li>No material that it is unlawful to possess.</li>
        <li>No patient data: we offer no agreement that would allow it.</li>
        <li>No files meant to break the service, and no attempts at the data of others.</li>
        <li>No resale of an account. Building on the API for your own users is welcome.</li>
      </ul>
    ),
  },
  {
    title: 'Credits',
    body: (
      <>
        <p>
          A recording costs credits by its length, as {link(paths.pricing, 'Pricing')} says: an hour
          is {creditsFor(3600)}, a document adds {DOCUMENT_CREDITS}. The price is shown before you
          confirm, set aside when you do, and taken when the work is done. {rollover} They do not
          expire, have no cash value, and cannot be passed on. New accounts get {SIGNUP_CREDITS},
          once per person.
        </p>
        <p>
          A file that fails costs nothing: its credits come back by themselves. So do those of a
          document that fails, and of a recording in which nobody speaks.
        </p>
      </>
    ),
  },
  {
    title: 'Plans, renewal, cancellation',
    body: (
      <p>
        Plans are paid monthly in advance through a card payment provider, and renew until you
        cancel. Each payment adds the plan’s credits. A higher plan starts at once with its full
        credits; a lower one starts when the month you have paid for ends. Canceling takes effect
        then too, and your balance stays.
      </p>
    ),
  },
  {
    title: `${MONEY_BACK_DAYS}-day money-back guarantee`,
    body: (
      <ul>
        {refundRules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
    ),
  },
  {
    title: 'API use and limits',
    body: (
      <p>
        Each plan has a number of calls an hour, stated in the{' '}
        {link(paths.api, 'API documentation')} and in the answers themselves. Keys are secrets:
        whoever has one acts in your name. We may end a key that endangers the service, and tell you
        so.
      </p>
    ),
  },
  {
    title: 'Availability and changes',
    body: (
      <p>
        We work to keep the service running and promise no figure. If a part of it is given up, or
        these terms change to your disadvantage, we write to you thirty days before. If you do not
        agree, you may leave, and unspent credits of your last payment are refunded.
      </p>
    ),
  },
  {
    title: 'Not for emergencies, certified records or clinical records',
    body: (
      <p>
        Do not use the service where an error or a delay can harm somebody’s health or safety. Its
        text is not a certified transcript and not a medical record. What that means is described in{' '}
        {link('/blog/legal-transcription-requirements', 'our article on legal transcription')} and{' '}
        {link('/blog/medical-transcription-accuracy', 'the one on medical transcription')}.
      </p>
    ),
  },
  {
    title: 'Liability',
    body: (
      <p>
        We are liable without limit where the law does not allow a limit, as for intent and for
        injury to life and health. Otherwise our liability is limited to what you have paid us in
        the twelve months before the damage. Keep your original recordings: the service is not an
        archive.
      </p>
    ),
  },
  {
    title: 'Ending, and taking your data with you',
    body: (
      <p>
        You can export everything and delete your account at any time. We may close an account that
        breaks these terms, after a warning where that is reasonable, and leave you time to export.
        Credits you have paid for are refunded unless they were misused.
      </p>
    ),
  },
  {
    title: 'Law and contact',
    body: (
      <p>
        The law of the place where the operator of this server is established applies, and the
        rights you have as a consumer where you live stay untouched. If a clause does not hold, the
        others do. Questions and complaints: {link(paths.contact, 'Contact')}.
      </p>
    ),
  },
]

export default function TermsPage() {
  return (
    <>
      <PageHead
        path={paths.terms}
        title={`Terms of service · ${BRAND}`}
        description={`The rules for using ${BRAND}, credits and refunds.`}
      />
      <LegalPage
        title="Terms of service"
        updated="2026-11-21"
        inShort={inShort}
        clauses={clauses}
      />
    </>
  )
}
