import { BRAND, REPLY_HOURS, RETENTION_DAYS, UNCONFIRMED_MINUTES } from '#shared/business.ts'
import { paths } from '#web/paths.ts'

import { type Clause, LegalPage } from './legal-page.tsx'
import { PageHead } from './page-head.tsx'

const contact = (
  <a href={paths.contact} className="text-link">
    Contact
  </a>
)

const inShort = {
  head: ['What', 'Why', 'How long'],
  rows: [
    ['Your account', 'To sign you in and write to you', 'Until you delete it'],
    ['Your recordings', 'To make the text, and to play it back', `${RETENTION_DAYS} days, or less`],
    ['Text, summaries, documents', 'They are what you came for', 'Until you delete them'],
    ['Credits and payments', 'To bill correctly, and to prove it', 'As long as the law asks'],
    [
      'Cookies',
      'One to keep you signed in, one to know your browser again. No trackers',
      'Until you sign out; 400 days',
    ],
  ],
}

const clauses: readonly Clause[] = [
  {
    title: 'Who we are, and how to reach us',
    body: (
      <p>
        {BRAND} is software that can be run by anybody. Responsible for the data on this server is
        whoever runs it; “we” means them. You reach us through {contact}, and we answer within{' '}
        {REPLY_HOURS} hours.
      </p>
    ),
  },
  {
    title: 'What you give us',
    body: (
      <ul>
        <li>
          <strong>Account:</strong> first and last name, email address, and a password, which we
          keep only as a salted hash (argon2id). If you sign in with Google, its identifier for you
          and your picture there.
        </li>
        <li>
          <strong>Files:</strong> the recordings you upload, with their names.
        </li>
        <li>
          <strong>Messages:</strong> what you write to us through the contact form.
        </li>
      </ul>
    ),
  },
  {
    title: 'What we make',
    body: (
      <ul>
        <li>
          <strong>From your recordings:</strong> text with times, speaker labels, a summary, key
          points, topics, the documents you ask for, and a waveform.
        </li>
        <li>
          <strong>From your use:</strong> the ledger of your credits; the sessions you are signed in
          with, each with the kind of browser and its last use; and short counts of attempts, by
          account and by network address, that protect sign-in against guessing.
        </li>
        <li>
          <strong>Logs:</strong> which kind of request was made, when, and whether it succeeded,
          with random identifiers. File names, and words that anybody said, are never written to a
          log.
        </li>
      </ul>
    ),
  },
  {
    title: 'Payment data',
    body: (
      <p>
        Payments are made on the pages of a card payment provider. Your card number never reaches
        us. We keep which plan was paid for, when, how much, and the provider’s numbers for the
        payment. The provider is responsible for what it stores and has a privacy policy of its own.
      </p>
    ),
  },
  {
    title: 'How files are processed, where, and by whom',
    body: (
      <>
        <p>
          As it is installed, the software processes everything on this server: the sound is
          decoded, recognized and summarized here, and nothing is sent to anybody. Where the system
          allows it, the program that reads your file runs without access to the network.
        </p>
        <p>
          Whoever runs a server may connect other services instead: a transcription service, which
          then receives the sound; a language model, which then receives the text to summarize; a
          storage service; a mail service. Each of them is a processor on our behalf. Ask us through{' '}
          {contact} which are connected here, and where they are.
        </p>
      </>
    ),
  },
  {
    title: 'Training of models',
    body: (
      <p>
        The software does not use your files to train models; it has no function that could. Where
        another service is connected, its contract decides, and we tell you on request what it says.
      </p>
    ),
  },
  {
    title: 'How long we keep things',
    body: (
      <ul>
        <li>
          <strong>Recordings,</strong> and all audio made from them: {RETENTION_DAYS} days after the
          upload. The date is on every result, and you can delete a recording at once.
        </li>
        <li>
          <strong>Uploads you do not confirm:</strong> {UNCONFIRMED_MINUTES} minutes.
        </li>
        <li>
          <strong>Text, summaries and documents:</strong> until you delete them, or your account.
        </li>
        <li>
          <strong>The ledger of credits and payments:</strong> as long as the law asks of us, after
          an account is deleted without your name.
        </li>
        <li>
          <strong>Logs and backups:</strong> for a limited time that depends on how this server is
          run. Ask us for the number of days.
        </li>
      </ul>
    ),
  },
  {
    title: 'Cookies and local storage',
    body: (
      <>
        <p>
          One cookie keeps you signed in. It is not readable by scripts and is not set for visitors
          who never sign in. Another one, set when you sign in with your password, tells this
          browser from strangers who guess at that password, so that they cannot keep you out. It
          lasts 400 days, or until you change the password. While you are at Google to sign in or to
          allow a document, one more makes sure that it is you who comes back, and ends a few
          minutes later. After you sign up, one lets the link that we mail you sign in this browser,
          for a day. In your browser’s own storage we keep your choice of light or dark, that
          somebody has been signed in here, how you like the player and exports, what you have begun
          and not sent yet (a message, a correction, a recording made here), and, if you sign in
          with Google, a copy of the session under the name <code>auth_token</code>.
        </p>
        <p>
          There is no advertising, no analytics, and no request to any other company’s server on our
          pages. Therefore there is no banner either.
        </p>
      </>
    ),
  },
  {
    title: 'Google sign-in and Google Docs',
    body: (
      <p>
        If you sign in with Google, we learn your name, your address, whether it is verified, and
        your picture. If you create a Google Doc, you allow us in a window of Google’s to make that
        one file; the permission reaches only files that we make, is used once, and is not stored.
      </p>
    ),
  },
  {
    title: 'Your rights',
    body: (
      <p>
        You can see what we hold, take it with you, correct it, and delete it. The pages of your
        account let you export everything and delete the account yourself; for whatever else, use{' '}
        {contact}. You can also complain to the authority for data protection where you live.
      </p>
    ),
  },
  {
    title: 'People recorded in your files',
    body: (
      <p>
        You decide whom you record, and you need their consent where the law asks for it, including
        for processing by a service like this one. For their data you are responsible and we work on
        your instructions. If somebody asks us to delete a recording in which they speak, we ask
        you.
      </p>
    ),
  },
  {
    title: 'Children',
    body: (
      <p>
        Accounts are for people who may enter into a contract where they live. If you believe that a
        child has made one, tell us and we delete it.
      </p>
    ),
  },
  {
    title: 'Security',
    body: (
      <p>
        Passwords and session tokens are stored only as hashes. Every query for a user’s data names
        its owner. Files from users are decoded by a program that is locked away from the rest of
        the server where the system allows it. No system is without faults: if you find one, write
        to us through {contact} before you write to others, and we will thank you.
      </p>
    ),
  },
  {
    title: 'Transfers to other countries',
    body: (
      <p>
        Data is where this server is, and, where services are connected, where they are. If that
        includes countries with other rules than yours, we rely on the agreements that the law
        provides for it. Ask us which.
      </p>
    ),
  },
  {
    title: 'Changes',
    body: (
      <p>
        When this page changes, the date at the top changes with it. If a change makes something
        worse for you, we write to you before it takes effect.
      </p>
    ),
  },
]

export default function PrivacyPage() {
  return (
    <>
      <PageHead
        path={paths.privacy}
        title={`Privacy policy · ${BRAND}`}
        description="What we store, for how long, and your choices."
      />
      <LegalPage title="Privacy policy" updated="2026-11-21" inShort={inShort} clauses={clauses} />
    </>
  )
}
