import { useQuery, useQueryClient } from '@tanstack/react-query'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { OptionList } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { LoadError, LoadingPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import {
  type AdoptablePrice,
  type AdoptionOutcome,
  adminAdoptStripeCall,
  adminCancelAdoptionCall,
  adminListStripeCall,
  adminMapStripePriceCall,
  adminStripeAdoptionCall,
  type StripeAdoption,
} from '#shared/contracts/billing/stripe-adoption.ts'
import { perPeriod } from '#shared/domain/billing-interval.ts'
import { formatMoney } from '#shared/domain/format.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { type PlanKey, planOf } from '#shared/domain/plans.ts'

/** Links running subscriptions of the same Stripe account to members. */
export function AdoptSubscriptions() {
  const query = useQuery(stripeAdoptionQuery)
  return (
    <section aria-labelledby="adopt-subscriptions" className="mt-12 border-t border-ink pt-8">
      <h2 id="adopt-subscriptions" className="display text-2xl">
        Paying members at Stripe
      </h2>
      <p className="mt-2 max-w-[62ch] text-muted">
        If your last service charged members through this Stripe account, their subscriptions go on here. No one is
        charged, nothing changes at Stripe, and no email is sent.
      </p>
      {query.isError ? (
        <LoadError what="the subscriptions" query={query} />
      ) : query.data ? (
        <Adoption adoption={query.data.adoption} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={2} height="h-11" className="max-w-xl" />
        </LoadingPlaceholder>
      )}
    </section>
  )
}

function Adoption({ adoption }: { adoption: StripeAdoption | null }) {
  const list = useListSubscriptions()
  const adopt = useAdopt()
  const cancel = useCancelAdoption()
  const isOpen = adoption?.status === 'listed'
  if (!adoption || adoption.status === 'canceled') {
    return (
      <Button className="mt-5" variant="secondary" pending={list.isPending} onClick={() => list.mutate()}>
        List subscriptions
      </Button>
    )
  }
  if (adoption.status === 'listing' || adoption.status === 'running') {
    return (
      <div className="mt-5 grid justify-items-start gap-3">
        <p role="status" className="tabular-nums">
          {adoption.status === 'listing'
            ? `Reading from Stripe: ${formatCount(adoption.listed, 'subscription')} so far.`
            : 'Linking members. You can leave this page.'}
        </p>
        <Button variant="secondary" pending={cancel.isPending} onClick={() => cancel.mutate(adoption.id)}>
          Cancel
        </Button>
      </div>
    )
  }
  const adoptable = adoption.counts.new + adoption.counts.existing
  return (
    <div className="mt-5 grid gap-6">
      <p role="status">
        {isOpen
          ? `${formatCount(adoption.listed, 'subscription')} found. Nothing has changed yet.`
          : 'Done. Stripe was not changed.'}
      </p>
      {isOpen && <Prices prices={adoption.prices} />}
      <PropertyList>
        {(Object.keys(labels) as AdoptionOutcome[]).map((outcome) => (
          <Property key={outcome} name={labels[outcome][isOpen ? 0 : 1]}>
            {formatNumber(adoption.counts[outcome])}
          </Property>
        ))}
      </PropertyList>
      <Examples adoption={adoption} />
      <div className="flex flex-wrap gap-3">
        {isOpen ? (
          <>
            <Button disabled={adoptable === 0} pending={adopt.isPending} onClick={() => adopt.mutate(adoption.id)}>
              {adoptable === 0 ? 'No one to adopt' : `Adopt ${formatNumber(adoptable)}`}
            </Button>
            <Button variant="quiet" pending={cancel.isPending} onClick={() => cancel.mutate(adoption.id)}>
              Cancel
            </Button>
          </>
        ) : (
          <Button variant="secondary" pending={list.isPending} onClick={() => list.mutate()}>
            List subscriptions again
          </Button>
        )}
      </div>
    </div>
  )
}

/** Before and after. */
const labels: Record<AdoptionOutcome, readonly [string, string]> = {
  new: ['New members with a plan', 'New members with a plan'],
  existing: ['Members who get their plan', 'Members who got their plan'],
  linked: ['Linked already', 'Linked already'],
  unmapped: ['Other products, left alone', 'Other products, left alone'],
  conflict: ['Conflicts, left alone', 'Conflicts, left alone'],
}

function Prices({ prices }: { prices: readonly AdoptablePrice[] }) {
  const map = useMapPrice()
  if (prices.length === 0) return null
  return (
    <section aria-labelledby="stripe-prices">
      <h3 id="stripe-prices" className="display text-xl">
        Prices
      </h3>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {prices.map((price) => (
          <li key={price.id} className="grid items-center gap-x-6 gap-y-2 py-3 sm:grid-cols-[minmax(0,1fr)_16rem]">
            <div className="min-w-0">
              <p className="font-semibold [overflow-wrap:anywhere]">{price.name}</p>
              <p className="text-sm text-muted">
                {formatMoney(price.amountCents, price.currency)} {perPeriod(price)} ·{' '}
                {formatCount(price.subscriptions, 'subscription')}
              </p>
            </div>
            {price.isOwn ? (
              <p>{price.plan && planOf(publication, price.plan).name}</p>
            ) : (
              <select
                aria-label={`Plan for ${price.name}`}
                className={inputStyles}
                value={price.plan ?? ''}
                disabled={map.isPending}
                onChange={(event) =>
                  map.mutate({ priceId: price.id, plan: (event.currentTarget.value || null) as PlanKey | null })
                }
              >
                <option value="">Leave alone</option>
                <OptionList of={publication.plans.map(({ key, name }) => [key, name])} />
              </select>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Examples({ adoption }: { adoption: StripeAdoption }) {
  const shown = adoption.examples.filter(({ outcome }) => outcome !== 'linked' && outcome !== 'unmapped')
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="adoption-examples">
      <h3 id="adoption-examples" className="display text-xl">
        Examples
      </h3>
      <ul className="mt-3 divide-y divide-line border-y border-line">
        {shown.map(({ customerId, email, plan, detail }) => (
          <li key={customerId} className="grid gap-x-6 py-2.5 sm:grid-cols-[minmax(0,1fr)_8rem_minmax(0,1.2fr)]">
            <span className="min-w-0 [overflow-wrap:anywhere]">{email || customerId}</span>
            <span className="font-semibold">{plan ? planOf(publication, plan).name : ''}</span>
            <span className="min-w-0 text-muted">{detail}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const pollMs = 1_500

type Answer = { adoption: StripeAdoption | null }

/** Polled while the server reads from Stripe. */
const stripeAdoptionQuery = alwaysStaleQuery(
  ['admin-stripe-adoption'],
  adminStripeAdoptionCall,
  {},
  {
    refetchInterval: ({ state }) => {
      const status = state.data?.adoption?.status
      return status === 'listing' || status === 'running' ? pollMs : false
    },
  },
)

function useAdoptionChange<Input>(mutationFn: (input: Input) => Promise<Answer>, failure: string) {
  const queryClient = useQueryClient()
  return useSensitiveMutation<Answer, Input>({
    mutationFn,
    onSuccess: (answer) => queryClient.setQueryData(stripeAdoptionQuery.queryKey, answer),
    failure,
  })
}

const useListSubscriptions = () =>
  useAdoptionChange<void>(() => invoke(adminListStripeCall, {}), 'The subscriptions couldn’t be listed')

const useMapPrice = () =>
  useAdoptionChange(
    (mapping: { priceId: string; plan: PlanKey | null }) => invoke(adminMapStripePriceCall, mapping),
    'The plan couldn’t be saved',
  )

const useAdopt = () =>
  useAdoptionChange((id: string) => invoke(adminAdoptStripeCall, { id }), 'Adopting couldn’t start')

const useCancelAdoption = () =>
  useAdoptionChange((id: string) => invoke(adminCancelAdoptionCall, { id }), 'This couldn’t be canceled')
