import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { ask, sentenceOf } from '#web/api.ts'
import { authPath } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailField } from '#web/ui/field.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import { forgotPassword } from '../calls.ts'
import { type Carried, AuthForm, type AuthFormProps, FormError, ModeLink } from './auth-form.tsx'
import { emailError } from './form-errors.ts'
import { useForm } from '#web/use-form.ts'

const failed = 'Failed to send reset email. Please try again.'

export function ForgotForm({ email, notice, problem, next }: AuthFormProps) {
  const navigate = useNavigate()
  const forgot = useMutation({
    mutationFn: (values: { email: string }) =>
      ask(forgotPassword, { body: { email: values.email.trim() } }),
    onSuccess: (_answer, values) => {
      const sent = 'If an account exists, a password reset link has been sent.'
      toast({ title: 'Reset Link Sent', description: sent, goesAlong: true })
      const carried: Carried = { email: values.email.trim(), notice: sent }
      void navigate(authPath({ next }), { state: carried })
    },
    onError: (error) => toastFailure('Error', sentenceOf(error, failed)),
  })
  const form = useForm({
    start: { email },
    checks: { email: emailError },
    onSubmit: (values) => forgot.mutate(values),
  })
  return (
    <AuthForm
      title="Reset your password"
      lead="We send you a link that sets a new one."
      notice={notice}
      problem={problem ? <FormError>{problem}</FormError> : null}
      below={
        <p>
          Remembered it?{' '}
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
      <form noValidate onSubmit={form.submit}>
        <EmailField {...form.field('email')} />
        <Button type="submit" variant="primary" pending={forgot.isPending} className="mt-5 w-full">
          Send reset link
        </Button>
        {forgot.error ? <FormError>{sentenceOf(forgot.error, failed)}</FormError> : null}
      </form>
    </AuthForm>
  )
}
