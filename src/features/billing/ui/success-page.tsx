import { formatCredits } from '#shared/format.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'

import { useUser } from '#features/account/ui/auth.tsx'
import { BRAND, type PlanId, planOf, plans } from '#shared/business.ts'
import { sentenceOf } from '#web/api.ts'
import { paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Container } from '#web/ui/container.tsx'
import { InlineError } from '#web/ui/inline-error.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { toast, toastFailure } from '#web/ui/toast.tsx'

import type { SuccessReported } from '../contract.ts'
import { added, money } from './plan-words.ts'
import { successQuery } from './queries.ts'

/**
 * The page that follows a payment at the provider. It asks once whether it was paid, and shows the
 * answer.
 */
export default function SuccessPage() {
  const [search] = useSearchParams()
  const planId = plans.find(({ id }) => id === search.get('plan'))?.id
  return (
    <Container className="py-14 lg:py-20">
      <title>{`Your payment · ${BRAND}`}</title>
      {planId ? <Look planId={planId} sessionId={search.get('session_id')} /> : <UnknownPlan />}
    </Container>
  )
}

function UnknownPlan() {
  return (
    <>
      <Heading>We do not recognize this plan.</Heading>
      <p className="mt-3 max-w-[66ch] text-ink-2">
        Nothing was added and nothing was charged by opening this page.
      </p>
      <ButtonLink href={paths.subscribe} variant="primary" className="mt-6">
        View Plans
      </ButtonLink>
    </>
  )
}

function Look({ planId, sessionId }: { planId: PlanId; sessionId: string | null }) {
  const queryClient = useQueryClient()
  const look = useQuery(successQuery(queryClient, { planId, sessionId }))
  const { data, error, isFetching } = look
  useEffect(() => {
    if (data) toast({ title: 'Payment Successful!', description: added(data.creditsAdded) })
  }, [data])
  const problem = error ? sentenceOf(error) : null
  useEffect(() => {
    if (problem && !isFetching) toastFailure('Error Adding Credits', problem)
  }, [problem, isFetching])

  if (data) return <Done done={data} />
  if (problem !== null && !isFetching)
    return (
      <>
        <Heading>Error Adding Credits</Heading>
        <InlineError className="mt-4 max-w-[66ch]">{problem}</InlineError>
        <p className="mt-4 max-w-[66ch] text-ink-2">
          If you have paid, your payment is safe.{' '}
          {sessionId ? (
            <>
              Quote this reference: <span className="font-semibold wrap-anywhere">{sessionId}</span>
            </>
          ) : (
            'A payment that was made is found by itself within minutes.'
          )}
        </p>
        <div className="mt-6 flex flex-wrap gap-3">
          <Button variant="primary" onClick={() => void look.refetch()}>
            Try again
          </Button>
          <ButtonLink href={`${paths.contact}?type=billing`} reloadDocument>
            Contact
          </ButtonLink>
          <ButtonLink href={paths.subscribe}>View Plans</ButtonLink>
        </div>
      </>
    )
  return (
    <div role="status" className="flex items-center gap-3">
      <Spinner className="size-5" />
      <div>
        <Heading>Adding your credits…</Heading>
      </div>
    </div>
  )
}

function Done({ done }: { done: SuccessReported }) {
  const user = useUser()
  const lines = [
    ['Plan', planOf(done.planId).name],
    ['Credits added', String(done.creditsAdded)],
    ['Amount paid', money(done.amountPaid)],
  ]
  return (
    <div className="grid gap-x-20 gap-y-10 lg:grid-cols-[1fr_510px]">
      <div>
        <p
          aria-hidden="true"
          className="font-display text-[clamp(5rem,3rem+8vw,9.25rem)] leading-none font-semibold tracking-[-0.03em] tabular-nums"
        >
          +{done.creditsAdded}
        </p>
        <Heading>Payment Successful! {added(done.creditsAdded)}</Heading>
        <div className="mt-6 flex flex-wrap gap-3">
          <ButtonLink href={paths.start} reloadDocument variant="primary">
            Start Transcribing
          </ButtonLink>
          <ButtonLink href={paths.subscribe}>View Plans</ButtonLink>
        </div>
      </div>
      <div>
        <dl className="border-t border-rule text-body">
          {lines.map(([what, value]) => (
            <div key={what} className="flex justify-between gap-4 border-b border-rule py-3">
              <dt className="text-ink-2">{what}</dt>
              <dd className="font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
          <div className="-mt-px flex justify-between gap-4 border-t-[3px] border-b border-double border-t-line border-b-rule py-3.5 font-semibold">
            <dt>New balance</dt>
            <dd className="text-lead leading-6! tabular-nums">{formatCredits(user.credits)}</dd>
          </div>
        </dl>
        <p className="mt-4 text-small text-ink-2">
          A receipt is on its way to <span className="wrap-anywhere">{user.email}</span>. Every
          credit is listed under{' '}
          <Link to={paths.accountCredits} className="text-link">
            Account, Credits
          </Link>
          .
        </p>
      </div>
    </div>
  )
}

/** Takes the focus when it changes, so that a screen reader reads it at once. */
function Heading({ children }: { children: React.ReactNode }) {
  const place = useRef<HTMLHeadingElement>(null)
  useEffect(() => place.current?.focus({ preventScroll: true }), [])
  return (
    <h1
      ref={place}
      tabIndex={-1}
      className="mt-4 max-w-[19em] font-display text-app font-semibold outline-none first:mt-0"
    >
      {children}
    </h1>
  )
}
