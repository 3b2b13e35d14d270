import { useMutation } from '@tanstack/react-query'

import { ApiError, ask, sentenceOf } from '#web/api.ts'
import { authPath } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField, PasswordField } from '#web/ui/field.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { logIn, resendVerification } from '../calls.ts'
import {
  AuthForm,
  type AuthFormProps,
  FormError,
  SignInElsewhere,
  ModeLink,
  withLine,
} from './auth-form.tsx'
import { wasHere } from './auth.tsx'
import { enter } from './enter.ts'
import { emailError, passwordError } from './form-errors.ts'
import { useForm } from '#web/use-form.ts'

export function LoginForm({
  email,
  notice,
  problem,
  next,
  isMailed,
}: AuthFormProps & {
  /** Somebody has just signed up: all there is to do is to open the mail, so the form is folded. */
  isMailed: boolean
}) {
  const login = useMutation({
    mutationFn: (body: { email: string; password: string }) => ask(logIn, { body }),
    onSuccess: ({ token }) => enter({ token, title: 'Welcome back!', next }),
    onError: (error) => {
      const words = sentenceOf(error, 'Login failed. Please try again.')
      toast(
        needsVerifying(error)
          ? { variant: 'destructive', title: 'Email Verification Required', description: words }
          : { variant: 'destructive', title: words },
      )
    },
  })
  const form = useForm({
    start: { email, password: '' },
    checks: { email: emailError, password: passwordError },
    onSubmit: (values) => login.mutate({ ...values, email: values.email.trim() }),
  })
  const resend = useResend(form.values.email)
  const refusal = login.error
    ? sentenceOf(login.error, 'Login failed. Please try again.')
    : undefined
  const isUnverified = needsVerifying(login.error)
  const offersResend = refusal ? isUnverified : problem !== undefined

  const fields = (
    <>
      <SignInElsewhere next={next} />
      <form noValidate onSubmit={form.submit}>
        <EmailField {...form.field('email')} className={withLine} />
        <PasswordField
          {...form.field('password')}
          label="Password"
          autoComplete="current-password"
        />
        <p className="mt-2 text-small">
          <ModeLink to={authPath({ mode: 'forgot', next })} state={{ email: form.values.email }}>
            Forgot your password?
          </ModeLink>
        </p>
        <Button
          type="submit"
          variant="primary"
          pending={login.isPending || login.isSuccess}
          className="mt-5 w-full"
        >
          Sign In
        </Button>
        {refusal ? (
          <FormError {...(isUnverified ? { action: <ResendButton {...resend} /> } : {})}>
            {refusal}
          </FormError>
        ) : null}
      </form>
    </>
  )
  return (
    <AuthForm
      title={isMailed ? 'Check your mail' : wasHere.read() ? 'Welcome back' : 'Sign in'}
      // The news is old once something went wrong.
      notice={refusal || problem ? undefined : notice}
      problem={
        problem && !refusal ? (
          <FormError action={<ResendButton {...resend} />}>{problem}</FormError>
        ) : null
      }
      below={
        <p>
          Don’t have an account?{' '}
          <ModeLink
            to={authPath({ mode: 'register', next })}
            state={{ email: form.values.email }}
            className="font-semibold"
          >
            Sign up
          </ModeLink>
        </p>
      }
    >
      {isMailed ? (
        <details>
          <summary className="flex min-h-11 w-fit items-center text-link">
            Sign in with the password
          </summary>
          <div className="mt-4">{fields}</div>
        </details>
      ) : (
        fields
      )}
      {offersResend ? null : (
        <p className="mt-5 text-small text-ink-2">
          No email from us?{' '}
          <button type="button" onClick={resend.press} className="text-link">
            Resend verification email
          </button>
        </p>
      )}
    </AuthForm>
  )
}

const needsVerifying = (error: Error | null) =>
  error instanceof ApiError && error.code === 'email_not_verified'

function ResendButton({ press, isPending }: ReturnType<typeof useResend>) {
  return (
    <Button size="small" pending={isPending} onClick={press} className="bg-card!">
      Resend verification email
    </Button>
  )
}

/** Sends the mail to the address typed in the login form; without one it says so and goes there. */
function useResend(email: string) {
  const resend = useMutation({
    mutationFn: () => ask(resendVerification, { body: { email: email.trim() } }),
    onSuccess: () => toast({ title: 'Verification Email Sent' }),
    onError: (error) =>
      toastFailure('Failed to resend verification email.', sentenceOf(error, 'Please try again.')),
  })
  const press = () => {
    if (email.trim() !== '') return resend.mutate()
    toastFailure('Email Required', 'Please enter your email address first.')
    document.querySelector<HTMLInputElement>('main input[name=email]')?.focus()
  }
  return { press, isPending: resend.isPending }
}
