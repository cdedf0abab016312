import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { ownWords } from '#client/lib/own-words.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import type { LandingTexts } from '#shared/contracts/library/landing-samples.ts'
import { type PlanKey, plansOnSale } from '#shared/domain/plans.ts'
import { plansQuery, useSubscription } from './billing.api.ts'
import { useStartCheckout, useTrialDays } from './checkout.api.ts'
import { PlanCard } from './plan-card.tsx'

/** The plans on sale. Names and prices are part of the page; only the ids come from a call. */
export function Pricing({ texts: { title, text, benefits } }: { texts: LandingTexts['plans'] }) {
  const { user } = useSession()
  const { subscription } = useSubscription()
  const { data: offered } = useQuery({ ...plansQuery, enabled: user !== null })
  const checkout = useStartCheckout()
  const trialDaysOf = useTrialDays()
  const ownPrice = useOwnPrice()
  const plans = plansOnSale(publication)
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
        <div
          className={`@container grid self-start border-y border-ink ${columns(plans.length)} sm:divide-x sm:divide-line max-sm:divide-y max-sm:divide-line`}
        >
          {plans.map((plan) => (
            <PlanCard
              key={plan.key}
              plan={plan}
              isCurrent={isCurrent(plan.key)}
              ownPrice={isCurrent(plan.key) ? ownPrice : null}
              trialDays={trialDaysOf(plan.key)}
              pending={checkout.isPending && checkout.variables?.key === plan.key}
              onChoose={() => checkout.mutate({ key: plan.key })}
            />
          ))}
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
