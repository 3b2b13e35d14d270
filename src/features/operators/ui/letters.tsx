import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { Loaded, ShowMore } from '#features/account/ui/loaded.tsx'
import { contactTypes } from '#shared/contact-types.ts'
import { adminUserPath } from '#web/admin-paths.ts'
import { ask } from '#web/api.ts'
import { Button, ButtonLink, buttonClasses } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Failure } from '#web/ui/inline-error.tsx'

import { markAnswered } from '../calls.ts'
import type { Letter } from '../contract.ts'
import { lettersQuery } from './queries.ts'
import { useAct } from './use-act.ts'
import { day } from './words.ts'

export function Letters({ unanswered }: { unanswered: number }) {
  const query = useInfiniteQuery(lettersQuery)
  return (
    <section aria-labelledby="letters">
      <div className="flex min-h-9 flex-wrap items-center gap-x-4 pb-3">
        <h2 id="letters" className="font-display text-h3 font-semibold">
          Letters
        </h2>
        <p className="text-small text-ink-2">
          {unanswered === 0 ? 'All answered' : `${unanswered.toLocaleString('en-US')} not answered`}
        </p>
      </div>
      <Loaded query={query} what="the letters">
        {({ pages }) => (
          <>
            <LetterList letters={pages.flatMap((page) => page.letters)} />
            <ShowMore query={query}>Show older</ShowMore>
          </>
        )}
      </Loaded>
    </section>
  )
}

export function LetterList({ letters }: { letters: Letter[] }) {
  const [openId, setOpenId] = useState<string | null>(null)
  const open = letters.find(({ id }) => id === openId)
  if (letters.length === 0)
    return (
      <p className="border-t border-line pt-4 text-small text-ink-2">
        None. What is sent through the contact page stands here.
      </p>
    )
  return (
    <>
      <ul className="border-t border-line text-small">
        {letters.map((letter) => (
          <li key={letter.id} className="border-b border-rule">
            <button
              type="button"
              onClick={() => setOpenId(letter.id)}
              className="grid w-full grid-cols-[1fr_auto] items-center gap-x-4 py-2 text-left hover:bg-paper-2"
            >
              <span className={classes('wrap-anywhere', letter.answeredAt ? '' : 'font-[650]')}>
                {letter.subject || 'No subject'}
                {letter.answeredAt ? null : <span className="sr-only">, not answered</span>}
              </span>
              <time dateTime={letter.at} className="row-span-2 text-ink-2">
                {day(letter.at)}
              </time>
              <span className="wrap-anywhere text-ink-2">
                {typeOf(letter)} · {letter.email}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {open ? <Opened letter={open} onClose={() => setOpenId(null)} /> : null}
    </>
  )
}

const typeOf = ({ type }: Letter): string =>
  Object.entries(contactTypes).find(([key]) => key === type)?.[1] ?? type

function Opened({ letter, onClose }: { letter: Letter; onClose: () => void }) {
  const answered = useAct((body) => ask(markAnswered, { params: { id: letter.id }, body }), {
    onDone: onClose,
  })
  const subject = `Re: ${letter.subject || 'Your message'}`
  const mailto = `mailto:${encodeURIComponent(letter.email)}?subject=${encodeURIComponent(subject)}`
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
      title={letter.subject || 'No subject'}
      description={`${letter.name}, ${letter.email} · ${typeOf(letter)} · ${day(letter.at)}`}
    >
      <p className="mt-4 max-h-80 overflow-y-auto text-ui wrap-anywhere whitespace-pre-wrap">
        {letter.message}
      </p>
      {letter.reference ? (
        <p className="mt-3 text-small text-ink-2">About: {letter.reference}</p>
      ) : null}
      {letter.userId ? (
        <ButtonLink
          href={adminUserPath(letter.userId)}
          variant="quiet"
          size="small"
          className="mt-3 -ml-3.5"
        >
          The account that wrote it
        </ButtonLink>
      ) : null}
      <Failure error={answered.error} />
      <DialogActions>
        {letter.answeredAt ? (
          <p className="self-center text-small text-ink-2">Answered {day(letter.answeredAt)}</p>
        ) : (
          <Button pending={answered.isPending} onClick={() => answered.act({})}>
            Mark as answered
          </Button>
        )}
        <a href={mailto} className={buttonClasses({ variant: 'primary' })}>
          Answer
        </a>
      </DialogActions>
    </Dialog>
  )
}
