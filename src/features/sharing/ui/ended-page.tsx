import { paths } from '#web/paths.ts'
import { buttonClasses } from '#web/ui/button.tsx'

import { ClosedPage } from './closed-page.tsx'

export const handle = { static: true }

/** For links that ended, ran out or never were: the same words, so that nothing can be learned. */
export default function EndedPage() {
  return (
    <ClosedPage title="This link has ended">
      <p className="mt-2 text-lead text-ink-2">
        Its time ran out, or the person who shared it ended it. Nothing of the recording is shown
        here any more. If you still need it, ask them for a new link.
      </p>
      <div className="mt-7 flex gap-3 max-sm:flex-col">
        <a href={paths.start} className={buttonClasses({ variant: 'primary' })}>
          Go to the start
        </a>
        <a href={paths.contact} className={buttonClasses()}>
          Contact
        </a>
      </div>
    </ClosedPage>
  )
}
