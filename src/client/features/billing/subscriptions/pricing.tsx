import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useId } from 'react'
import { useNavigate } from 'react-router'
import { ownWords, publication } from '#client/lib/publication.ts'
import { useSession, whenSessionKnown } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import type { LandingTexts } from '#shared/contracts/library/landing-samples.ts'
import { paymentsPerYear } from '#shared/domain/billing-interval.ts'
import { asksConsent } from '#shared/domain/legal.ts'
import { peopleText, pricePerInterval, trialText } from '#shared/domain/plan-texts.ts'
import { everythingOnSale, isForTeam, type PlanKey, type PlanTerms } from '#shared/domain/plans.ts'
import { plansQuery, useSubscription } from './billing.api.ts'
import { useHadTrial, useStartCheckout, useTrialDays } from './checkout.api.ts'
import { checkoutPath } from './checkout-path.ts'

/** The plans on sale. Names and prices are part of the page; only the ids come from a call. */
export function Pricing({ texts: { title, text, benefits } }: { texts: LandingTexts['plans'] }) {
  const { user } = useSession()
  const { subscription } = useSubscription()
  const { data: offered } = useQuery({ ...plansQuery, enabled: user !== null })
  const checkout = useStartCheckout()
  const trialDaysOf = useTrialDays()
  const hadTrial = useHadTrial()
  const ownPrice = useOwnPrice()
  const plans = everythingOnSale(publication)
  const ordinary = plans.filter((plan) => !plan.forSupporters)
  const forSupporters = plans.filter((plan) => plan.forSupporters)
  // Access for good has neither a plan nor an end.
  const hasAll = subscription.subscribed && subscription.product_id === null && subscription.subscription_end === null
  const isCurrent = (key: PlanKey) =>
    subscription.subscribed &&
    offered?.some((plan) => plan.key === key && plan.productId === subscription.product_id) === true

  return (
    <section id="pricing" aria-labelledby="pricing-title" className="page py-16 lg:py-24">
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)]">
        <div>
          <h2 id="pricing-title" className="display text-3xl sm:text-4xl">
            {title}
          </h2>
          <p className="mt-4 text-muted">{text}</p>
          <ul className="mt-3 grid gap-2">
            {benefits.map((item) => (
              <li key={item} className="flex gap-2.5">
                <Check aria-hidden strokeWidth={1.75} className="mt-0.5 size-5 shrink-0 text-primary" />
                {item}
              </li>
            ))}
          </ul>
          <p className="mt-8 border-t border-line pt-4 text-muted">
            {ownWords`Not sure yet? The free edition has the opening of each drop and the sections that are open to everyone.`}{' '}
            <a href="/free" className="text-link -my-2.5 inline-flex min-h-11 items-center font-semibold">
              Get the free edition
            </a>
          </p>
        </div>
        <div className="grid gap-8 self-start">
          {[ordinary, forSupporters].map(
            (group) =>
              group.length > 0 && (
                <div
                  key={String(group === ordinary)}
                  className={`@container grid border-y ${group === ordinary ? 'border-ink' : 'border-line'} ${columns(group.length)} sm:divide-x sm:divide-line max-sm:divide-y max-sm:divide-line`}
                >
                  {group.map((plan) => (
                    <PlanCard
                      key={plan.key}
                      plan={plan}
                      isCurrent={isCurrent(plan.key) || (hasAll && Boolean(plan.once))}
                      ownPrice={isCurrent(plan.key) ? ownPrice : null}
                      trialDays={plan.once ? 0 : trialDaysOf(plan.key)}
                      hadTrial={hadTrial}
                      pending={checkout.isPending && checkout.variables?.key === plan.key}
                      onChoose={() => checkout.mutate({ key: plan.key })}
                    />
                  ))}
                </div>
              ),
          )}
        </div>
      </div>
    </section>
  )
}

/** Price of the user's own subscription ("$7 per month"); undefined until known, and null for team members. */
function useOwnPrice(): string | null | undefined {
  const { user } = useSession()
  const { subscription } = useSubscription()
  return useQuery({
    queryKey: ['own-price', user?.id],
    queryFn: async ({ signal }) => (await import('./billing-requests.ts')).askOwnPrice(signal),
    enabled: user !== null && subscription.subscribed,
    staleTime: 60_000,
  }).data
}

const columns = (plans: number) => (plans === 1 ? '' : plans === 2 || plans === 4 ? 'sm:grid-cols-2' : 'sm:grid-cols-3')

type PlanCardProps = {
  plan: PlanTerms
  isCurrent: boolean
  /** The user's price for this plan ("$7 per month"), if it's theirs. */
  ownPrice?: string | null
  /** Length of the free trial; 0 for none. */
  trialDays: number
  hadTrial: boolean
  pending: boolean
  onChoose: () => void
}

function PlanCard({ plan, isCurrent, ownPrice, trialDays, hadTrial, pending, onChoose }: PlanCardProps) {
  const listPrice = pricePerInterval(plan)
  const isOwn = ownPrice != null && ownPrice !== listPrice
  const price = isOwn ? ownPrice : listPrice
  const unitAt = price.search(/ (per|every|once)/)
  const navigate = useNavigate()
  const nameId = useId()
  // Waits for the stored session, so that a quick click doesn't send a signed-in user to sign in.
  const handleChoose = async () => {
    const { user, pendingMfa } = await whenSessionKnown()
    // Checkout continues after sign-up or the second sign-in step.
    const from = checkoutPath(plan.key)
    if (!user) await navigate('/auth', { state: { mode: 'sign-up', from } })
    else if (pendingMfa !== 'none') await navigate('/auth/second-step', { state: { from } })
    else if (plan.perSeat || plan.floorCents || asksConsent(publication.legal)) await navigate(from)
    else onChoose()
  }

  return (
    <article
      aria-labelledby={nameId}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-4 gap-y-1 py-5 sm:flex sm:flex-col sm:items-stretch sm:px-6 sm:py-7"
    >
      <h3 id={nameId} className="col-span-2 text-lg font-semibold">
        {plan.name}
      </h3>
      <p className="flex flex-wrap items-baseline gap-x-2 @max-[18rem]:col-span-2 sm:mt-4">
        <span className={`display tabular-nums ${plan.forSupporters ? 'text-2xl' : 'text-4xl'}`}>
          {price.slice(0, unitAt)}
        </span>{' '}
        <span className="text-muted">{price.slice(unitAt + 1)}</span>
      </p>
      <p className="text-sm max-sm:col-start-1 @max-[18rem]:col-span-2 sm:mt-1 sm:mb-8">
        {plan.note && (
          <span className={`block ${paymentsPerYear(plan) < 12 ? 'font-semibold text-accent-ink' : 'text-muted'}`}>
            {plan.note}
          </span>
        )}
        {(isForTeam(plan) || !plan.note) && <span className="block text-muted">{peopleText(plan)}</span>}
        <span className="block text-muted tabular-nums">{isOwn ? 'Your price' : plan.comparedText}</span>
        {trialDays > 0 && !isCurrent && (
          <span className="block font-semibold text-accent-ink">{trialText(plan, trialDays)}</span>
        )}
        {hadTrial && plan.trialPriceCents && !isCurrent && (
          <span className="block text-muted">You’ve already had a trial</span>
        )}
      </p>
      {plan.features.length > 0 && (
        <ul className="col-span-2 list-disc pl-5 text-sm sm:-mt-6 sm:mb-8">
          {plan.features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
      )}
      <Button
        variant={isCurrent || plan.forSupporters ? 'secondary' : 'primary'}
        disabled={isCurrent}
        pending={pending}
        onClick={handleChoose}
        aria-describedby={nameId}
        className={`@max-[18rem]:col-span-2 @max-[18rem]:mt-3 @min-[18rem]:max-sm:col-start-2 @min-[18rem]:max-sm:row-span-2 @min-[18rem]:max-sm:row-start-2 sm:mt-auto ${plan.forSupporters ? 'sm:self-start' : ''}`}
      >
        {isCurrent ? (plan.once ? 'You have access for good' : 'Current Plan') : publication.labels.getStarted}
      </Button>
    </article>
  )
}
