import type { ReactNode } from 'react'
import { Button } from '#client/ui/button.tsx'
import { ButtonLink } from '#client/ui/button-link.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Section } from '#client/ui/section.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { BillingOverview, BillingStanding } from '#shared/contracts/billing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import { type PlanKey, plans } from '#shared/domain/plans.ts'
import { useResumePlan, useUpdateCard } from './account-billing.api.ts'
import { CancelSection } from './cancel-section.tsx'
import { InvoiceSection } from './invoice-section.tsx'
import { PastDuePanel } from './past-due-panel.tsx'
import { SwitchSection } from './switch-section.tsx'

type BillingPageProps = {
  overview: BillingOverview
  /** Their seat in somebody else's team, where they have one. */
  membership: ReactNode
  /** Addresses of the people on their team; null while that isn't known. */
  teamMembers: readonly string[] | null
  /** A plan to switch to that is opened from the start. */
  switchTo: PlanKey | null
  onRetry: () => void
  retrying: boolean
}

/** Everything about the plan without leaving; only the card is typed in elsewhere. */
export function BillingPage({ overview, membership, teamMembers, switchTo, onRetry, retrying }: BillingPageProps) {
  const { standing, plan, atStripe } = overview
  const switchable = plan !== null && (standing === 'active' || standing === 'trialing')
  return (
    <div>
      {membership}
      <Section title={membership ? 'Your own plan' : 'Your plan'} status={<StandingTag overview={overview} />}>
        <div className="grid gap-5">
          {standing === 'past_due' && <PastDuePanel overview={overview} />}
          {overview.complimentaryUntil && (
            <p className="max-w-[60ch]">
              You have complimentary access until <Day at={overview.complimentaryUntil} />. Everything is open to you,
              and nothing is charged for it.
            </p>
          )}
          {overview.onSeat && standing === 'none' && (
            <p className="max-w-[60ch]">
              You don't need one while you're on the team. With a plan of your own, you keep access if you leave it.
            </p>
          )}
          {!(isOpenAnyway(overview) && standing === 'none') && (
            <p className="max-w-[60ch]">
              <Words overview={overview} />
            </p>
          )}
          <PlanFacts overview={overview} />
          <NextStep overview={overview} />
        </div>
      </Section>
      {atStripe === null && (
        <Section title="Payments">
          <p role="alert" className="max-w-[60ch]">
            The payment service does not answer just now, so amounts, card and invoices are missing here. Nothing is
            lost.
          </p>
          <Button variant="secondary" className="mt-5" pending={retrying} onClick={onRetry}>
            Try again
          </Button>
        </Section>
      )}
      {switchable && (
        <SwitchSection
          key={plan}
          current={plan}
          trialing={standing === 'trialing'}
          teamMembers={teamMembers}
          switchTo={switchTo}
        />
      )}
      {atStripe && atStripe.invoices.length > 0 && (
        <InvoiceSection invoices={atStripe.invoices} ended={standing === 'ended'} />
      )}
      {(switchable || standing === 'past_due' || standing === 'on_hold') && (
        <CancelSection overview={overview} teamMembers={teamMembers} />
      )}
    </div>
  )
}

/** Without a plan of their own. */
const isOpenAnyway = ({ complimentaryUntil, onSeat }: BillingOverview) => complimentaryUntil !== null || onSeat

const tags: Record<BillingStanding, { tone?: 'primary' | 'accent' | 'danger'; text: string } | null> = {
  none: null,
  active: { tone: 'primary', text: 'Active' },
  trialing: { tone: 'primary', text: 'Trial' },
  ending: { tone: 'accent', text: 'Ending' },
  past_due: { tone: 'danger', text: 'Payment failed' },
  on_hold: { tone: 'danger', text: 'On hold' },
  ended: { text: 'Ended' },
}

const gift = { tone: 'primary', text: 'Complimentary' } as const

function StandingTag({ overview: { standing, complimentaryUntil } }: { overview: BillingOverview }) {
  const tag = tags[standing] ?? (complimentaryUntil ? gift : null)
  return tag && <Tag tone={tag.tone}>{tag.text}</Tag>
}

/** How the plan stands, as one would say it. */
function Words({ overview: { standing, periodEnd, endsAt, trialDays } }: { overview: BillingOverview }): ReactNode {
  switch (standing) {
    case 'none':
      return trialDays > 0
        ? `You have no plan yet. The first ${trialDays} days of your first one are free.`
        : 'You have no plan yet.'
    case 'active':
      return 'Your plan is active and renews by itself until you cancel it.'
    case 'trialing':
      return (
        <>
          You are trying it out for free{periodEnd && <> until {<Day at={periodEnd} />}</>}. Then the plan begins by
          itself; cancel before that day and nothing is charged.
        </>
      )
    case 'ending':
      return (
        <>
          Your plan is canceled. Everything stays open{endsAt && <> until {<Day at={endsAt} />}</>}, and nothing more is
          charged.
        </>
      )
    case 'past_due':
      return 'The rest of your plan stays as it is while this is being repaired.'
    case 'on_hold':
      return 'Your plan is on hold because its payments failed. Update your card under Manage, or cancel the plan.'
    case 'ended':
      return 'Your plan has ended. Your account and your answers are kept, and a new plan opens everything again.'
  }
}

function PlanFacts({ overview: { plan, atStripe } }: { overview: BillingOverview }) {
  const updateCard = useUpdateCard()
  if (!plan && !atStripe?.card) return null
  return (
    <PropertyList>
      {plan && (
        <Property name="Plan">
          {plans[plan].name}, {plans[plan].priceText} per {plans[plan].interval}
        </Property>
      )}
      {atStripe?.next && (
        <Property name="Next payment">
          {formatMoney(atStripe.next.amountCents, atStripe.next.currency)} on <Day at={atStripe.next.at} />
        </Property>
      )}
      {atStripe?.discounts.map(({ code, terms, until }) => (
        <Property key={`${code} ${terms} ${until}`} name="Promotion">
          {code ? `${code}: ${terms}` : terms}
          {until && <> until {<Day at={until} />}</>}
        </Property>
      ))}
      {atStripe?.credit && (
        <Property name="Credit">
          {formatMoney(atStripe.credit.amountCents, atStripe.credit.currency)}, counted towards coming payments
        </Property>
      )}
      {atStripe && (
        <Property name="Card">
          <span className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
            {atStripe.card ? <Card card={atStripe.card} /> : 'None on file'}
            <Button
              variant="quiet"
              size="sm"
              className="-mx-3"
              pending={updateCard.isPending}
              onClick={() => updateCard.mutate()}
            >
              Update card
            </Button>
          </span>
        </Property>
      )}
    </PropertyList>
  )
}

type CardFacts = NonNullable<NonNullable<BillingOverview['atStripe']>['card']>

function Card({ card: { brand, last4, month, year } }: { card: CardFacts }) {
  return (
    <span>
      <span className="capitalize">{brand}</span> ending in {last4}, valid through {String(month).padStart(2, '0')}/
      {year}
    </span>
  )
}

function NextStep({ overview }: { overview: BillingOverview }) {
  const { standing } = overview
  const resume = useResumePlan()
  if (standing === 'ending') {
    return (
      <div>
        <Button pending={resume.isPending} onClick={() => resume.mutate()}>
          Resume plan
        </Button>
      </div>
    )
  }
  if (standing !== 'none' && standing !== 'ended') return null
  return (
    <div>
      {isOpenAnyway(overview) ? (
        <ButtonLink to="/#pricing" variant="secondary">
          See plans
        </ButtonLink>
      ) : (
        <ButtonLink to="/#pricing">Choose a Plan</ButtonLink>
      )}
    </div>
  )
}

const Day = ({ at }: { at: string }) => <time dateTime={at}>{formatDay(at)}</time>
