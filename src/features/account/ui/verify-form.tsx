import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { ApiError, ask, sentenceOf } from '#web/api.ts'
import { authPath } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/field.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.tsx'

import { verifyEmail } from '../calls.ts'
import type { Verified } from '../contract.ts'
import { type Carried, AuthForm, FormError, ModeLink } from './auth-form.tsx'
import { useAuth } from './auth.tsx'
import { enter } from './enter.ts'
import { passwordError } from './form-errors.ts'
import { verifyEmailQuery } from './queries.ts'
import { useForm } from '#web/use-form.ts'

const title = 'Confirm your email'
const notConfirmed = 'Your email could not be confirmed. Please try again.'

const codeOf = (error: Error | null) => (error instanceof ApiError ? error.code : null)

/**
 * Behind a mailed link. Posts its token at once, which is enough in the browser that registered;
 * elsewhere the server asks for the password. Where nothing came of it, because the server was not
 * there, the link is still good and the page stays.
 */
export function VerifyForm({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(verifyEmailQuery(token))
  useLeaving({ verified: data, error })
  const code = codeOf(error)
  if (code === 'password_needed') return <PasswordQuestion token={token} />
  if (!error || code === 'link_used') return <Waiting />
  return <NotConfirmed error={error} retry={() => void refetch()} />
}

/**
 * Leads on to the page that the visitor wanted, or to the sign-in form with the fault of the link.
 */
function useLeaving({ verified, error }: { verified: Verified | undefined; error: Error | null }) {
  const navigate = useNavigate()
  const isSignedIn = useAuth().state === 'signed-in'
  const isUsedUp = codeOf(error) === 'link_used'
  useEffect(() => {
    if (verified) enter({ title: verified.message, next: verified.next })
    if (!isUsedUp) return
    const carried: Carried = { problem: sentenceOf(error, notConfirmed) }
    // They go on to their dashboard, where there is no form to say it above.
    if (isSignedIn) toast({ title: sentenceOf(error, notConfirmed), goesAlong: true })
    // The used token leaves the address: a reload would only say that it has been used.
    void navigate(authPath(), { replace: true, state: carried })
  }, [verified, error, isUsedUp, isSignedIn, navigate])
}

function PasswordQuestion({ token }: { token: string }) {
  const verify = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      ask(verifyEmail, { body: { token, password } }),
  })
  useLeaving({ verified: verify.data, error: verify.error })
  const form = useForm({
    start: { password: '' },
    checks: { password: passwordError },
    onSubmit: (values) => verify.mutate(values),
  })
  return (
    <AuthForm
      title={title}
      lead="Enter the password you chose to confirm this address."
      below={
        <p className="text-ink-2">
          You never chose one? Then somebody else typed your address. Ignore the email and nothing
          happens, or{' '}
          <ModeLink to={authPath({ mode: 'forgot' })}>set a password of your own</ModeLink>.
        </p>
      }
    >
      <form noValidate onSubmit={form.submit}>
        <PasswordField
          {...form.field('password')}
          label="Password"
          autoComplete="current-password"
        />
        <p className="mt-2 text-small">
          <ModeLink to={authPath({ mode: 'forgot' })}>Forgot your password?</ModeLink>
        </p>
        <Button
          type="submit"
          variant="primary"
          pending={verify.isPending || verify.isSuccess}
          className="mt-5 w-full"
        >
          Confirm and sign in
        </Button>
        {verify.error ? <FormError>{sentenceOf(verify.error, notConfirmed)}</FormError> : null}
      </form>
    </AuthForm>
  )
}

function NotConfirmed({ error, retry }: { error: Error; retry: () => void }) {
  return (
    <div>
      <title>{`${title} · ${BRAND}`}</title>
      <h1 className="font-display text-auth font-semibold">{title}</h1>
      <FormError
        action={
          <Button size="small" onClick={retry} className="bg-card!">
            Try again
          </Button>
        }
      >
        {sentenceOf(error, notConfirmed)}
      </FormError>
    </div>
  )
}

function Waiting() {
  return (
    <div>
      <title>{`${title} · ${BRAND}`}</title>
      <h1 className="font-display text-auth font-semibold">One moment</h1>
      <p role="status" className="mt-4 flex items-center gap-2.5 text-ink-2">
        <Spinner />
        Confirming your email…
      </p>
    </div>
  )
}
