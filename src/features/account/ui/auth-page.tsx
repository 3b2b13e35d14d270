import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation, useNavigate, useSearchParams } from 'react-router'

import { BRAND } from '#shared/business.ts'
import { ask, sentenceOf } from '#web/api.ts'
import { capabilitiesQuery } from '#web/capabilities.ts'
import { authPath, paths, safeNext } from '#web/paths.ts'
import { keepNext, nameOfIssuer, readNext, signInFailed } from '#web/ticket.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Wordmark } from '#web/ui/mark.tsx'
import { LoadingPage } from '#web/ui/spinner.tsx'
import { toast } from '#web/ui/toast.tsx'

import { confirmEmailChange } from '../calls.ts'
import { isWhyShut, whyShut } from '../status.ts'
import { type Carried, FormError } from './auth-form.tsx'
import { AuthScene } from './auth-scene.tsx'
import { type Auth, useAuth } from './auth.tsx'
import { ForgotForm } from './forgot-form.tsx'
import { LoginForm } from './login-form.tsx'
import { authOptionsQuery } from './queries.ts'
import { RegisterForm } from './register-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { VerifyForm } from './verify-form.tsx'
import { welcomeOf } from './welcome.ts'

export default function AuthPage() {
  const auth = useAuth()
  // Asked for together with who is there, so that nothing moves when it is known. The form asks
  // again for what could not be had, and waits no second time.
  const options = useQuery(authOptionsQuery)
  const known = useQuery(capabilitiesQuery)
  const [search] = useSearchParams()
  // Where somebody new was bound who comes back from signing in elsewhere.
  const [bound] = useState(() => (search.get('welcome') === '1' ? safeNext(readNext()) : null))
  useNewsFromElsewhere(bound, auth.state)

  const next = safeNext(search.get('next')) ?? bound
  // A mailed link is used before anything else, also by somebody who is signed in.
  const isMailed = ['verify', 'reset', 'change'].some((kind) => search.get(kind))
  if (!isMailed) {
    if (auth.state === 'signed-in') return <Navigate to={next ?? paths.home} replace />
    const isAwaited = [options, known].some((one) => one.isPending && one.errorUpdateCount === 0)
    if (auth.state === 'loading' || isAwaited)
      return (
        <LoadingPage>
          <title>{`Sign in · ${BRAND}`}</title>
        </LoadingPage>
      )
  }
  return (
    <div className="grid flex-1 lg:grid-cols-[5fr_7fr]">
      <meta name="robots" content="noindex" />
      <div className="flex flex-col px-4 sm:px-6 lg:border-r lg:border-rule lg:px-10 xl:pl-20">
        <header className="flex h-24 items-center max-lg:mx-auto max-lg:w-full max-lg:max-w-[25rem]">
          <a href={paths.start} className="block w-fit">
            <Wordmark />
          </a>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="flex max-w-[25rem] flex-col pt-2 pb-12 max-lg:mx-auto max-lg:w-full lg:justify-center"
        >
          <Form next={next} />
        </main>
      </div>
      <AuthScene />
    </div>
  )
}

/** The form that the address asks for. */
function Form({ next }: { next: string | null }) {
  const [search] = useSearchParams()
  const { state, key } = useLocation()
  const verify = search.get('verify')
  if (verify) return <VerifyForm token={verify} />
  const reset = search.get('reset')
  if (reset) return <ResetForm token={reset} />
  const change = search.get('change')
  if (change) return <ConfirmChange token={change} />
  const { email = '', notice, problem, mailed } = (state ?? {}) as Carried
  const shared = { email, notice, problem, next }
  // The key makes a form new when something is carried to it.
  switch (search.get('mode') ?? 'login') {
    case 'register':
      return <RegisterForm key={key} {...shared} />
    case 'forgot':
      return <ForgotForm key={key} {...shared} />
    default:
      return <LoginForm key={key} {...shared} isMailed={mailed !== undefined} />
  }
}

/** One of the two mails about a change of address: the page asks, so that no scanner says yes. */
function ConfirmChange({ token }: { token: string }) {
  const confirm = useMutation({
    mutationFn: () => ask(confirmEmailChange, { body: { token } }),
  })
  return (
    <div>
      <title>{`Change your email address · ${BRAND}`}</title>
      <h1 className="font-display text-auth font-semibold">Change your email address</h1>
      {confirm.data ? (
        <>
          <p role="status" className="mt-3 text-body text-ink-2">
            {confirm.data.message}
          </p>
          <ButtonLink href={paths.account} reloadDocument className="mt-6">
            Go to your account
          </ButtonLink>
        </>
      ) : (
        <>
          <p className="mt-3 text-body text-ink-2">
            The address of your {BRAND} account changes when both mailboxes, the old one and the new
            one, have said yes.
          </p>
          <Button
            variant="primary"
            pending={confirm.isPending}
            onClick={() => confirm.mutate()}
            className="mt-6"
          >
            Yes, change it
          </Button>
          {confirm.error ? (
            <FormError>
              {sentenceOf(confirm.error, 'Nothing was changed. Please try again.')}
            </FormError>
          ) : null}
        </>
      )}
    </div>
  )
}

async function tellFailed(error: string): Promise<void> {
  const words = signInFailed(await nameOfIssuer(error))
  const description = isWhyShut(error) ? whyShut[error] : words.description
  toast({ ...words, description, variant: 'destructive' })
}

/** The news of `error` and of `welcome=1` are told once and leave the address. */
function useNewsFromElsewhere(bound: string | null, state: Auth['state']): void {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const failed = search.get('error')
  const isWelcome = search.get('welcome') === '1'
  useEffect(() => {
    if (failed !== null) {
      void tellFailed(failed)
      void navigate(authPath(), { replace: true })
    }
    const welcome = isWelcome ? welcomeOf(state) : null
    if (welcome) {
      toast(welcome)
      keepNext(null)
      void navigate(bound ?? paths.home, { replace: true })
    }
  }, [failed, isWelcome, state, bound, navigate])
}
