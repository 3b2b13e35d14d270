import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'

import { ApiError, ask, sentenceOf, token as bearer } from '#web/api.ts'
import { authPath } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/field.tsx'

import { resetPassword } from '../calls.ts'
import { type Carried, AuthForm, FormError, ModeLink } from './auth-form.tsx'
import { newPasswordError, passwordHint } from './form-errors.ts'
import { userQuery } from './queries.ts'
import { useForm } from '#web/use-form.ts'

/** Behind a mailed link. Opening it uses nothing up; saving the new password does. */
export function ResetForm({ token }: { token: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const reset = useMutation({
    mutationFn: ({ password }: { password: string }) =>
      ask(resetPassword, { body: { token, password } }),
    onSuccess: () => {
      // Every session ended with the old password, this browser's too.
      bearer.remove()
      queryClient.setQueryData(userQuery.queryKey, null)
      const carried: Carried = { notice: 'Your password is changed. Sign in with it.' }
      void navigate(authPath(), { replace: true, state: carried })
    },
  })
  const form = useForm({
    start: { password: '' },
    checks: { password: newPasswordError },
    onSubmit: (values) => reset.mutate(values),
  })
  const isUsedUp = reset.error instanceof ApiError && reset.error.code === 'link_used'
  const refusal = reset.error
    ? sentenceOf(reset.error, 'Your password was not changed. Please try again.')
    : undefined
  return (
    <AuthForm
      title="Choose a new password"
      lead="It replaces the old one, signs you out everywhere, revokes your API keys, pauses your webhooks and unlinks Google and single sign-on. Either with the address of this account is linked again when you next sign in with it."
      below={
        <p>
          <ModeLink to={authPath()} className="font-semibold">
            Sign in
          </ModeLink>
        </p>
      }
    >
      <form noValidate onSubmit={form.submit}>
        <PasswordField
          {...form.field('password')}
          label="New password"
          autoComplete="new-password"
          hint={passwordHint(form.values.password)}
        />
        <Button type="submit" variant="primary" pending={reset.isPending} className="mt-5 w-full">
          Change password
        </Button>
        {refusal ? (
          <FormError
            action={
              isUsedUp ? (
                <ModeLink to={authPath({ mode: 'forgot' })} className="font-semibold">
                  Forgot your password?
                </ModeLink>
              ) : undefined
            }
          >
            {refusal}
          </FormError>
        ) : null}
      </form>
    </AuthForm>
  )
}
