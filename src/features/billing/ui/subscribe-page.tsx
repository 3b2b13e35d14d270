import { useMutation, useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { useContext, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'react-router'

import { useAuth, useUser } from '#features/account/ui/auth.tsx'
import { SignedInOnly } from '#features/account/ui/protected-layout.tsx'
import { BRAND, MONEY_BACK_DAYS, type Plan, type PlanId, planOf, plans } from '#shared/business.ts'
import { formatCredits, formatDate } from '#shared/format.ts'
import { ApiError, ask, sentenceOf } from '#web/api.ts'
import { authPath, paths } from '#web/paths.ts'
import { AccountMenu } from '#web/ui/app-header.tsx'
import { Button } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { CreditPill } from '#web/ui/credit-pill.tsx'
import { RecordingContext } from '#web/ui/header-parts.tsx'
import { BottomBar } from '#web/ui/main-nav.tsx'
import { Wordmark } from '#web/ui/mark.tsx'
import { AppFooter } from '#web/ui/site-footer.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useWindowEvent } from '#web/use-window-event.ts'

import { openCheckout } from '../calls.ts'
import type { Billing } from '../contract.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { HowCreditsWork } from './how-credits-work.tsx'
import { PlanCards } from './plan-cards.tsx'
import { billingQuery } from './queries.ts'
import { RefundRules } from './refund-rules.tsx'

export default function SubscribePage() {
  return (
    <SignedInOnly>
      <title>{`Choose a plan · ${BRAND}`}</title>
      <meta name="robots" content="noindex" />
      <Header />
      <main id="main" tabIndex={-1}>
        <Container className="py-10 lg:py-12">
          <Plans />
          <HowCreditsWork />
        </Container>
      </main>
      <AppFooter />
      <BottomBar />
    </SignedInOnly>
  )
}

function Header() {
  const user = useUser()
  const { logOut, isLoggingOut } = useAuth()
  const { pill } = useContext(RecordingContext)
  const link = 'flex h-11 items-center text-ui text-ink-2 hover:text-ink'
  return (
    <header className="border-b border-rule bg-paper">
      <Container className="flex min-h-[60px] flex-wrap items-center gap-x-5 gap-y-1 max-sm:py-2.5">
        <a href={paths.start} className="block w-fit">
          <Wordmark size="small" />
        </a>
        <nav
          aria-label="Credits and account"
          className="flex items-center gap-5 max-sm:order-last max-sm:w-full sm:ml-auto"
        >
          {pill ? <span className="max-md:hidden">{pill}</span> : null}
          <CreditPill credits={user.credits} />
          <a href={paths.start} className={link}>
            File Upload
          </a>
          <a href="/api/logout" className={link}>
            Sign Out
          </a>
        </nav>
        <div className="max-sm:ml-auto">
          <AccountMenu person={user} onLogOut={logOut} isLoggingOut={isLoggingOut} />
        </div>
      </Container>
    </header>
  )
}

/** Words about a purchase that did not come about: said as a toast, and kept under the heading. */
interface Problem {
  title: string
  description: string
  needsSignIn?: boolean
}

function problemOf(error: unknown): Problem {
  if (error instanceof ApiError && error.status === 401)
    return {
      title: 'Authentication Required',
      description: 'Please log in to purchase a subscription',
      needsSignIn: true,
    }
  return { title: 'Payment Error', description: sentenceOf(error, 'Please try again.') }
}

const declined: Problem = {
  title: 'Payment Failed',
  description: 'Your card was declined. Nothing was charged.',
}

function Plans() {
  const user = useUser()
  const billing = useQuery(billingQuery)
  const [search] = useSearchParams()
  const [changeTo, setChangeTo] = useState<PlanId | null>(null)
  const outcome = search.get('checkout')
  const preselected = plans.find(({ id }) => id === search.get('plan'))?.id ?? null
  const buy = useCheckout()
  const wasDeclined = outcome === 'declined'

  useEffect(() => {
    if (wasDeclined) toast({ variant: 'destructive', ...declined })
  }, [wasDeclined])

  const problem = buy.error ? problemOf(buy.error) : wasDeclined && !buy.isPending ? declined : null
  const state = billing.data
  const plan = state?.plan ?? null
  return (
    <>
      <h1 className="font-display text-app font-semibold">Choose a plan</h1>
      {/* Two lines on phones, as most of these have. */}
      <div className="mt-2 text-ui text-ink-2 max-sm:min-h-11">
        {problem ? (
          <InlineError>
            {problem.title}: {problem.description}{' '}
            {problem.needsSignIn ? (
              <a href={authPath({ next: paths.subscribe })} className="text-link">
                Sign In
              </a>
            ) : null}
          </InlineError>
        ) : billing.error ? (
          <InlineError>
            {sentenceOf(billing.error, 'We could not load your plan.')}{' '}
            <button type="button" className="text-link" onClick={() => void billing.refetch()}>
              Try again
            </button>
          </InlineError>
        ) : outcome === 'left' ? (
          <p role="status">You left the checkout. Nothing was charged, and nothing has changed.</p>
        ) : (
          <p>Your balance of {formatCredits(user.credits)} stays, whatever you choose.</p>
        )}
      </div>
      <PlanCards
        preselected={preselected}
        renderAction={(one) => (
          <PlanButton
            plan={one}
            isMain={preselected === null ? one.isPopular : preselected === one.id}
            state={state}
            pressed={buy.isPending || buy.isSuccess ? buy.variables : null}
            onBuy={() => buy.mutate(one.id)}
            onChange={() => setChangeTo(one.id)}
          />
        )}
      />
      <p className="mt-6 flex items-start gap-3 text-ui text-ink-2">
        <Lock size={20} className="mt-0.5 shrink-0" />
        You pay on our card provider’s page. We never see your card number. {MONEY_BACK_DAYS}-day
        money-back guarantee.
      </p>
      <RefundRules />
      {/* The lines that need an answer of the server stand last, so that nothing moves when it comes. */}
      {state?.payments === 'test' ? (
        <p className="mt-5 w-fit rounded-control bg-warn-tint px-4 py-3 text-small font-medium text-warn">
          Test payments: this server opens a built-in checkout page that moves no money.
        </p>
      ) : null}
      {state?.payments === 'off' ? (
        <InlineError tone="warn" className="mt-5">
          Payment system is not available
        </InlineError>
      ) : null}
      {plan ? (
        <p className="mt-5 text-ui text-ink-2">
          You are on {planOf(plan.planId).name}. When it is paid for next, how it ends, and your
          receipts:{' '}
          <Link to={paths.accountPlan} className="text-link">
            Plan and receipts
          </Link>
          .
        </p>
      ) : null}
      {changeTo ? <ChangeDialog planId={changeTo} onClose={() => setChangeTo(null)} /> : null}
    </>
  )
}

function PlanButton({
  plan,
  isMain,
  state,
  pressed,
  onBuy,
  onChange,
}: {
  plan: Plan
  /** The plan that was chosen on the way here, otherwise the popular one. */
  isMain: boolean
  state: Billing | undefined
  /** The plan whose checkout is being opened: all wait for it. */
  pressed: PlanId | null
  onBuy: () => void
  onChange: () => void
}) {
  const current = state?.plan ?? null
  const isOff = state?.payments === 'off'
  const isPressed = pressed === plan.id
  if (current?.planId === plan.id && current.nextPlanId === plan.id)
    return (
      <Button disabled title="This is the plan you have">
        Your plan
      </Button>
    )
  if (current?.nextPlanId === plan.id)
    return (
      <Button disabled title="This is the plan you have chosen">
        From {formatDate(current.periodEndsAt)}
      </Button>
    )
  if (current)
    return (
      <Button onClick={onChange} disabled={isOff} variant={isMain ? 'primary' : 'secondary'}>
        {current.planId === plan.id ? `Keep ${plan.name}` : `Change to ${plan.name}`}
      </Button>
    )
  return (
    <Button
      variant={isMain ? 'primary' : 'secondary'}
      pending={isPressed}
      disabled={isOff || !state || (pressed !== null && !isPressed)}
      onClick={onBuy}
      aria-label={isPressed ? undefined : `Subscribe to ${plan.name}`}
      {...(isOff ? { title: 'Payment system is not available' } : {})}
    >
      {isPressed ? 'Opening secure checkout…' : 'Subscribe'}
    </Button>
  )
}

/** Opens the provider's page. Coming back from it with the Back button finds the buttons at rest. */
function useCheckout() {
  const buy = useMutation({
    mutationFn: (planId: PlanId) => {
      const { name, priceCents } = planOf(planId)
      return ask(openCheckout, {
        body: { amount: priceCents / 100, planId, description: `${name} subscription` },
      })
    },
    onSuccess: ({ url }) => location.assign(url),
    onError: (error) => {
      const { title, description } = problemOf(error)
      toast({ variant: 'destructive', title, description })
    },
  })
  useWindowEvent('pageshow', ({ persisted }) => {
    if (persisted) buy.reset()
  })
  return buy
}
