import { type ReactNode, useEffect, useRef } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { publication } from '#client/lib/publication.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { type BillingOverview, type BillingStatus, resumePlanCall } from '#shared/contracts/billing/billing.ts'
import { isForGood } from '#shared/domain/entitlement.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { usePlanChange, useUpdateCard } from './account-billing.api.ts'
import { CancelSection } from './cancel-section.tsx'
import { describeLostAccess } from './describe-lost-access.ts'
import { InvoiceDetailsSection } from './invoice-details-section.tsx'
import { InvoiceSection } from './invoice-section.tsx'
import { PastDuePanel } from './past-due-panel.tsx'
import { PauseSection } from './pause-section.tsx'
import { SwitchSection } from './switch-section.tsx'

const useResumePlan = () =>
  usePlanChange((_input, requestId) => invoke(resumePlanCall, { requestId }), {
    done: 'Your plan continues',
    failure: 'We couldn’t resume your plan',
  })

type BillingPageProps = {
  overview: BillingOverview
  /** The user's seat in another owner's team, if any. */
  membership: ReactNode
  /** Email addresses of the user's team members; null while unknown. */
  teamMembers: readonly string[] | null
  /** Opens the switch panel for this plan. */
  switchTo: PlanKey | null
  onRetry: () => void
  retrying: boolean
}

export function BillingPage({ overview, membership, teamMembers, switchTo, onRetry, retrying }: BillingPageProps) {
  const { status, plan, stripe } = overview
  const isActive = plan !== null && (status === 'active' || status === 'trialing')
  useFocusAfterChange(`${plan} ${status} ${overview.pause?.startsAt}`)
  // Stripe doesn’t bill a switch during a pause, and there is no card to charge if invoices are sent.
  const canSwitch = isActive && overview.pause === null && !stripe?.paysByInvoice
  return (
    <div>
      {membership}
      <Section title={membership ? 'Your own plan' : 'Your plan'} status={<StatusTag overview={overview} />}>
        <div className="grid gap-5">
          {status === 'past_due' && <PastDuePanel overview={overview} />}
          {overview.complimentaryUntil && (
            <p className="max-w-[60ch]">
              <OtherAccess overview={overview} until={overview.complimentaryUntil} />
            </p>
          )}
          {overview.hasTeamAccess && status === 'none' && (
            <p className="max-w-[60ch]">
              You don’t need a plan while you’re on the team. With your own plan, you keep access if you leave.
            </p>
          )}
          {!(hasOtherAccess(overview) && status === 'none') && (
            <p className="max-w-[60ch]">
              <StatusText overview={overview} />
            </p>
          )}
          {overview.otherAddressOnCard && (
            <p className="max-w-[60ch] [overflow-wrap:anywhere]">
              Your card also pays for a plan under {overview.otherAddressOnCard}. If both are yours, cancel the one you
              don’t need and reply to any of our emails, so that we can refund it.
            </p>
          )}
          <PlanFacts overview={overview} />
          <PlanAction overview={overview} />
        </div>
      </Section>
      {stripe === null && (
        <Section title="Payments">
          <p role="alert" className="max-w-[60ch]">
            We can’t reach our payment service right now, so amounts, your card, and invoices aren’t shown. Your plan
            isn’t affected.
          </p>
          <Button variant="secondary" className="mt-5" pending={retrying} onClick={onRetry}>
            Try again
          </Button>
        </Section>
      )}
      {canSwitch && (
        <SwitchSection
          key={plan}
          current={plan}
          price={overview.price}
          trialing={status === 'trialing'}
          teamMembers={teamMembers}
          switchTo={switchTo}
        />
      )}
      {stripe && stripe.invoices.length > 0 && (
        <InvoiceSection invoices={stripe.invoices} planEnded={status === 'ended'} />
      )}
      {overview.hasCustomer && <InvoiceDetailsSection />}
      {canSwitch && status === 'active' && (
        <PauseSection overview={overview} lostAccess={describeLostAccess(teamMembers, plan, null)} />
      )}
      {(isActive || status === 'paused' || status === 'past_due' || status === 'on_hold') && (
        <CancelSection overview={overview} teamMembers={teamMembers} />
      )}
    </div>
  )
}

/** Focuses the page once the plan has changed, if the button that changed it is gone. */
function useFocusAfterChange(state: string) {
  const last = useRef(state)
  useEffect(() => {
    if (last.current === state) return
    last.current = state
    if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
  }, [state])
}

function OtherAccess({ overview: { isGift, isPaidOnce }, until }: { overview: BillingOverview; until: string }) {
  if (isForGood(until)) return 'You have full access for good. You paid once, and nothing renews.'
  return (
    <>
      {isGift ? 'Your gift gives you full' : isPaidOnce ? 'You have full' : 'You have complimentary'} access until{' '}
      <Day at={until} />
      {isPaidOnce ? '. You paid once, and it doesn’t renew.' : ', with everything included at no charge.'}
    </>
  )
}

/** Access that doesn't depend on the user's own plan. */
const hasOtherAccess = ({ complimentaryUntil, hasTeamAccess }: BillingOverview) =>
  complimentaryUntil !== null || hasTeamAccess

const tags: Record<BillingStatus, { tone?: 'primary' | 'accent' | 'danger'; text: string } | null> = {
  none: null,
  active: { tone: 'primary', text: 'Active' },
  trialing: { tone: 'primary', text: 'Trial' },
  ending: { tone: 'accent', text: 'Ending' },
  paused: { tone: 'accent', text: 'Paused' },
  past_due: { tone: 'danger', text: 'Payment failed' },
  on_hold: { tone: 'danger', text: 'On hold' },
  ended: { text: 'Ended' },
}

const complimentaryTag = { tone: 'primary', text: 'Complimentary' } as const
const paidOnceTag = { tone: 'primary', text: 'Paid' } as const
const giftTag = { tone: 'primary', text: 'Gift' } as const

function StatusTag({ overview: { status, complimentaryUntil, isGift, isPaidOnce } }: { overview: BillingOverview }) {
  const other = isGift ? giftTag : isPaidOnce ? paidOnceTag : complimentaryTag
  const tag = tags[status] ?? (complimentaryUntil ? other : null)
  return tag && <Tag tone={tag.tone}>{tag.text}</Tag>
}

function StatusText({
  overview: { status, periodEnd, endsAt, pause, trialDays },
}: {
  overview: BillingOverview
}): ReactNode {
  switch (status) {
    case 'none':
      return trialDays > 0
        ? `You don’t have a plan yet. You can try one for ${trialDays} days.`
        : 'You don’t have a plan yet.'
    case 'active':
      if (pause) {
        return (
          <>
            Your plan will be paused. You have full access until <Day at={pause.startsAt} />, the end of the time you
            paid for.
          </>
        )
      }
      return 'Your plan is active and renews automatically until you cancel.'
    case 'trialing':
      return (
        <>
          You’re on a trial{periodEnd && <> until {<Day at={periodEnd} />}</>}. Your plan starts automatically after the
          trial. If you cancel before then, you won’t be charged for it.
        </>
      )
    case 'ending':
      return (
        <>
          Your plan is canceled. You have full access{endsAt && <> until {<Day at={endsAt} />}</>}, and you won’t be
          charged again.
        </>
      )
    case 'paused':
      return pause?.endsAt ? (
        <>
          Your plan is paused until <Day at={pause.endsAt} />. You don’t pay and have no access until then.
        </>
      ) : (
        'Your plan is paused. You don’t pay and have no access until you resume it.'
      )
    case 'past_due':
      return 'Nothing else about your plan has changed.'
    case 'on_hold':
      return 'Your plan is on hold because its payments failed. Update your card under Manage, or cancel the plan.'
    case 'ended':
      return 'Your plan has ended. We kept your account and preferences, and a new plan restores full access.'
  }
}

function PlanFacts({ overview: { plan, price, priceChange, pause, stripe } }: { overview: BillingOverview }) {
  const updateCard = useUpdateCard()
  if (!plan && !stripe?.card) return null
  return (
    <PropertyList>
      {plan && (
        <Property name="Plan">
          {planOf(publication, plan).name}
          {price && `, ${formatPrice(price)}`}
        </Property>
      )}
      {priceChange && (
        <Property name="New price">
          {formatPrice(priceChange.price)} from <Day at={priceChange.at} />. You can switch or cancel before that day.
        </Property>
      )}
      {pause && (
        <Property name="Pause">
          <Day at={pause.startsAt} />
          {pause.endsAt ? (
            <>
              {' '}
              to <Day at={pause.endsAt} />. After that, your card is charged again.
            </>
          ) : (
            ' until you resume your plan'
          )}
        </Property>
      )}
      {stripe?.nextPayment && (
        <Property name={stripe.paysByInvoice ? 'Next invoice' : 'Next payment'}>
          <NextPayment payment={stripe.nextPayment} />
        </Property>
      )}
      {stripe?.discounts.map(({ code, terms, until }) => (
        <Property key={`${code} ${terms} ${until}`} name="Promotion">
          {code ? `${code}: ${terms}` : terms}
          {until && <> until {<Day at={until} />}</>}
        </Property>
      ))}
      {stripe?.credit && (
        <Property name="Credit">
          {formatMoney(stripe.credit.amountCents, stripe.credit.currency)}, applied to your next payments
        </Property>
      )}
      {stripe?.paysByInvoice && <InvoiceFacts stripe={stripe} />}
      {stripe && !stripe.paysByInvoice && (
        <Property name="Card">
          <span className="action-row">
            {stripe.card ? <Card card={stripe.card} /> : <span>None on file</span>}
            <Button variant="secondary" size="sm" pending={updateCard.isPending} onClick={() => updateCard.mutate()}>
              Update card
            </Button>
          </span>
        </Property>
      )}
    </PropertyList>
  )
}

/** How the plan is paid, and what is due. */
function InvoiceFacts({ stripe: { invoices } }: { stripe: StripeOverview }) {
  const open = invoices.filter(({ status, dueAt }) => status === 'open' && dueAt)
  return (
    <Property name="Paid by invoice">
      {open.length === 0 && 'Nothing is due. '}
      {open.map(({ amountCents, currency, dueAt, isProcessing, url, createdAt }) => (
        <span key={createdAt} className="block">
          {formatMoney(amountCents, currency)}
          {isProcessing ? (
            ': your bank’s payment is on its way. That takes a few days.'
          ) : (
            <>
              , due <Day at={dueAt ?? createdAt} />{' '}
              {url && (
                <a href={url} target="_blank" rel="noopener noreferrer" className="text-link">
                  Pay by card or bank
                </a>
              )}
            </>
          )}
        </span>
      ))}
      <span className="block text-sm text-muted">To change your plan, reply to one of our emails.</span>
    </Property>
  )
}

type StripeOverview = NonNullable<BillingOverview['stripe']>

function NextPayment({ payment }: { payment: NonNullable<StripeOverview['nextPayment']> }) {
  const { dueAt, amountCents, creditCents, currency } = payment
  if (creditCents > 0 && amountCents === 0) {
    return (
      <>
        {formatMoney(creditCents, currency)} on <Day at={dueAt} />, paid with your credit
      </>
    )
  }
  return (
    <>
      {formatMoney(amountCents, currency)} on <Day at={dueAt} />
      {creditCents > 0 && `, after ${formatMoney(creditCents, currency)} in credit`}
    </>
  )
}

function Card({ card: { brand, last4, month, year } }: { card: NonNullable<StripeOverview['card']> }) {
  return (
    <span>
      <span className="capitalize">{brand}</span> ending in {last4}, valid through {String(month).padStart(2, '0')}/
      {year}
    </span>
  )
}

function PlanAction({ overview }: { overview: BillingOverview }) {
  const { status, pause, price } = overview
  const resume = useResumePlan()
  if (status === 'ending' || status === 'paused' || pause) {
    return (
      <div>
        {status === 'paused' && (
          <p className="mb-3 max-w-[60ch]">
            Resume now to start a new period{price && `, at ${formatPrice(price)}`}. Your card is charged today.
          </p>
        )}
        <Button pending={resume.isPending} onClick={() => resume.mutate()}>
          Resume plan
        </Button>
      </div>
    )
  }
  if (status !== 'none' && status !== 'ended') return null
  return (
    <div>
      {hasOtherAccess(overview) ? (
        <ButtonLink to="/#pricing" variant="secondary">
          See plans
        </ButtonLink>
      ) : (
        <ButtonLink to="/#pricing">{publication.labels.choosePlan}</ButtonLink>
      )}
    </div>
  )
}

const Day = ({ at }: { at: string }) => <time dateTime={at}>{formatDay(at)}</time>
