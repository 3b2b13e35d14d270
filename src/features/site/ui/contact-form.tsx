import { REPLY_HOURS } from '#shared/business.ts'
import { contactTypes } from '#shared/contact-types.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField, Field, inputClasses, TextField } from '#web/ui/field.tsx'
import { InlineScript } from '#web/ui/inline-script.tsx'
import { Select } from '#web/ui/select.tsx'

// oxlint-disable-next-line import/default -- the plugin in vite.config.ts makes it
import contactScript from './contact-script.ts?script'

/**
 * The form as it stands in the HTML; contact-script.ts checks and sends it. Each field has a place
 * for its error below it, empty until there is one.
 */
export function ContactForm() {
  return (
    <div data-contact>
      <p className="mb-6 hidden rounded-control bg-paper-2 p-4 text-body noscript:block">
        Sending this form needs JavaScript. Without it, write to __SUPPORT_EMAIL__.
      </p>
      <form noValidate method="post" action="/contact" className="grid gap-5">
        <div className="grid gap-x-4 gap-y-5 sm:grid-cols-2">
          <TextField
            label="Name"
            name="name"
            autoComplete="name"
            maxLength={200}
            hint={<HintSpace />}
          />
          <EmailField name="email" maxLength={320} hint={<HintSpace />} />
        </div>
        <Select label="Type" name="type" defaultValue="general" hint={<HintSpace />}>
          {Object.entries(contactTypes).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <TextField
          label={
            <>
              Subject <span className="font-normal text-ink-2">(optional)</span>
            </>
          }
          name="subject"
          maxLength={200}
          hint={<HintSpace />}
        />
        <Field label="Message" hint={<HintSpace />}>
          {(control) => (
            <textarea
              {...control}
              name="message"
              rows={6}
              maxLength={10_000}
              className={`${inputClasses} field-sizing-content h-auto! min-h-40 py-3`}
            />
          )}
        </Field>
        <input type="hidden" name="reference" />
        <p data-about hidden className="text-small text-ink-2">
          About <span className="font-mono text-fine wrap-anywhere" />
        </p>
        <div
          data-failure
          role="alert"
          className="text-small font-medium text-danger empty:hidden"
        />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Button type="submit" variant="primary">
            Send message
          </Button>
          <p className="text-body text-ink-2">We’ll get back to you within {REPLY_HOURS} hours.</p>
        </div>
      </form>
      <div data-sent hidden tabIndex={-1}>
        <h2 className="font-display text-section font-semibold">Message sent</h2>
        <p className="mt-2 text-body text-ink-2">
          We’ll get back to you within {REPLY_HOURS} hours. This is what you wrote:
        </p>
        <dl className="mt-4 border-t border-rule text-body">
          {['Name', 'Email', 'Type', 'Subject', 'Message'].map((label) => (
            <div
              key={label}
              className="grid gap-x-6 border-b border-rule py-3 sm:grid-cols-[7rem_1fr]"
            >
              <dt className="text-ink-2">{label}</dt>
              <dd data-echo={label.toLowerCase()} className="wrap-anywhere whitespace-pre-wrap" />
            </div>
          ))}
        </dl>
        <Button data-another className="mt-6">
          Send another
        </Button>
      </div>
      <p
        data-toast
        role="status"
        className="fixed inset-x-4 top-4 z-[60] rounded-panel border border-rule bg-card p-4 text-ui font-semibold text-ink shadow-float empty:hidden sm:top-auto sm:right-6 sm:bottom-6 sm:left-auto sm:max-w-[420px]"
      />
      <InlineScript code={contactScript} />
    </div>
  )
}

/**
 * The place where the script writes the fault of a field; the field names it as its description.
 */
function HintSpace() {
  return <span data-error className="font-medium text-danger" />
}
