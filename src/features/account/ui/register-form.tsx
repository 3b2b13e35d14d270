import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'

import { SIGNUP_CREDITS } from '#shared/business.ts'
import { ApiError, ask, sentenceOf } from '#web/api.ts'
import { useCapabilities } from '#web/capabilities.ts'
import { authPath, paths } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField, PasswordField } from '#web/ui/field.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { register } from '../calls.ts'
import type { Register } from '../contract.ts'
import {
  type Carried,
  AuthForm,
  type AuthFormProps,
  FormError,
  SignInElsewhere,
  ModeLink,
  withLine,
} from './auth-form.tsx'
import { emailError, nameErrors, newPasswordError, passwordHint } from './form-errors.ts'
import { NameFields } from './name-fields.tsx'
import { authOptionsQuery } from './queries.ts'
import { useForm } from '#web/use-form.ts'

const failed = 'Failed to create account. Please try again.'

/** The form, or why there is none on this server. */
export function RegisterForm(props: AuthFormProps) {
  const { data: options } = useQuery(authOptionsQuery)
  const can = useCapabilities()
  const [search] = useSearchParams()
  const invitation = search.get('invitation') ?? undefined
  const signUp = options?.signUp ?? 'open'
  if (signUp === 'closed' || (signUp === 'invited' && invitation === undefined))
    return (
      <NoSignUp
        isClosed={signUp === 'closed'}
        issuers={[options?.oidc, can('googleSignIn') && 'Google'].filter(
          (name): name is string => typeof name === 'string',
        )}
        next={props.next}
      />
    )
  return <NewAccount {...props} invitation={invitation} />
}

/** Where a refusal is about one field, it is said there. */
const fieldOf = (error: Error): string | undefined =>
  error instanceof ApiError
    ? { invalid_email: 'email', common_password: 'password' }[error.code ?? '']
    : undefined

function NoSignUp({
  isClosed,
  issuers,
  next,
}: {
  isClosed: boolean
  issuers: readonly string[]
  next: string | null
}) {
  const elsewhere =
    issuers.length > 0 ? `, or sign in with ${issuers.join(' or ')} and the same address` : ''
  return (
    <AuthForm
      title={isClosed ? 'No new accounts' : 'By invitation'}
      below={
        <p>
          Already have an account?{' '}
          <ModeLink to={authPath({ next })} className="font-semibold">
            Sign in
          </ModeLink>
        </p>
      }
    >
      <p className="text-body text-ink-2">
        {isClosed
          ? 'This server takes no new accounts. Whoever has one can sign in as before.'
          : `On this server accounts are made by invitation. If you were invited, open the link in the mail${elsewhere}. Otherwise ask whoever runs it.`}
      </p>
    </AuthForm>
  )
}

function NewAccount({
  email,
  notice,
  next,
  invitation,
}: AuthFormProps & { invitation: string | undefined }) {
  const navigate = useNavigate()
  const registration = useMutation({
    mutationFn: (values: Register) =>
      ask(register, {
        body: {
          ...values,
          email: values.email.trim(),
          ...(next && { next }),
          ...(invitation && { invitation }),
        },
      }),
    onSuccess: (_answer, values) => {
      toast({
        title: 'Account Created!',
        description: 'Please check your email to verify your account.',
        goesAlong: true,
      })
      const carried: Carried = {
        email: values.email.trim(),
        mailed: 'verify',
        notice: `We have sent an email to ${values.email.trim()}. Open the link in it, in this browser, and you are signed in.`,
      }
      void navigate(authPath({ next }), { state: carried })
    },
    onError: (error) => {
      toastFailure('Registration Failed', sentenceOf(error, failed))
      const field = fieldOf(error)
      if (field) form.setErrors({ [field]: sentenceOf(error, failed) })
    },
  })
  const form = useForm({
    start: { firstName: '', lastName: '', email, password: '' },
    checks: { ...nameErrors, email: emailError, password: newPasswordError },
    onSubmit: (values) => registration.mutate(values),
  })
  return (
    <AuthForm
      title="Create your account"
      lead={`${SIGNUP_CREDITS} free credits. No credit card.`}
      notice={notice}
      below={
        <p>
          Already have an account?{' '}
          <ModeLink
            to={authPath({ next })}
            state={{ email: form.values.email }}
            className="font-semibold"
          >
            Sign in
          </ModeLink>
        </p>
      }
    >
      <SignInElsewhere next={next} />
      <form noValidate onSubmit={form.submit}>
        <NameFields field={form.field} className={`grid grid-cols-2 gap-x-4 ${withLine}`} />
        <EmailField {...form.field('email')} className={withLine} />
        <PasswordField
          {...form.field('password')}
          label="Password"
          autoComplete="new-password"
          hint={passwordHint(form.values.password)}
        />
        <Button
          type="submit"
          variant="primary"
          pending={registration.isPending}
          className="mt-5 w-full"
        >
          Create account
        </Button>
        {registration.error && !fieldOf(registration.error) ? (
          <FormError>{sentenceOf(registration.error, failed)}</FormError>
        ) : null}
      </form>
      <p className="mt-2.5 text-small text-ink-2">
        By creating an account you accept the{' '}
        <a href={paths.terms} className="text-link">
          Terms
        </a>{' '}
        and the{' '}
        <a href={paths.privacy} className="text-link">
          Privacy policy
        </a>
        .
      </p>
    </AuthForm>
  )
}
