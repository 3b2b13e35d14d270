import { Button } from '#web/ui/button.tsx'
import { inputClasses } from '#web/ui/field.tsx'

import { ClosedPage } from './closed-page.tsx'
import { Part } from './parts.tsx'

export const handle = { static: true }

export default function PasswordPage() {
  return (
    <ClosedPage title="This page has a password">
      <p className="mt-4 max-w-[66ch] text-body wrap-anywhere text-ink-2">
        [[sharedBy]] shares a transcription with you here. Whoever sent you the link knows the
        password.
      </p>
      <form method="post" action="[[path]]" className="mt-6 grid max-w-[25rem] gap-5">
        <div>
          <label htmlFor="password" className="mb-1.5 block text-ui font-semibold">
            Password
          </label>
          <input
            id="password"
            name="password"
            type="password"
            required
            maxLength={200}
            autoComplete="off"
            aria-describedby="problem"
            className={inputClasses}
          />
          <p id="problem" role="alert" className="mt-1.5 text-small font-medium text-danger">
            <Part name="problem">[[problemText]]</Part>
          </p>
        </div>
        <Button type="submit" variant="primary" className="sm:w-fit">
          Open
        </Button>
      </form>
    </ClosedPage>
  )
}
