import { useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import {
  type BillingOverview,
  pauseMonths,
  type StayOffer,
  takeStayOfferCall,
} from '#shared/contracts/billing/billing.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { pricePerInterval } from '#shared/domain/plan-texts.ts'
import { planOf } from '#shared/domain/plans.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { usePlanChange } from './account-billing.api.ts'
import { SwitchPanel } from './switch-section.tsx'

type TakenOffer = {
  id: string
  kind: 'pause' | 'discount'
  months: (typeof pauseMonths)[number]
  comment: string | null
}

const useTakeStayOffer = (kind: StayOffer['kind']) =>
  usePlanChange<TakenOffer>((offer, requestId) => invoke(takeStayOfferCall, { ...offer, requestId }), {
    done: kind === 'pause' ? 'Your plan is paused' : 'Your next payment is discounted',
  })

type StayOfferFormProps = {
  offer: StayOffer
  overview: BillingOverview
  teamMembers: readonly string[] | null
  /** The member's words, as typed so far. */
  comment: () => string | null
  onCancel: () => void
  canceling: boolean
}

/** One offer that fits the reason. Canceling has the same size and weight. */
export function StayOfferForm({ offer, overview, teamMembers, comment, onCancel, canceling }: StayOfferFormProps) {
  const { id, kind } = offer
  const take = useTakeStayOffer(kind)
  const [months, setMonths] = useState<(typeof pauseMonths)[number]>(1)
  const [isSwitching, setSwitching] = useState(false)
  const takeOffer = () => {
    if (kind === 'pause' || kind === 'discount') take.mutate({ id, kind, months, comment: comment() })
    else setSwitching(true)
  }
  const { title, text, button } = describeOffer(offer, overview)
  return (
    <section aria-label="Before you go" aria-live="polite" className="grid gap-5 border-t border-line pt-5">
      <div className="max-w-[60ch]">
        <h4 className="text-lg font-semibold">{title}</h4>
        <p className="mt-1">{text}</p>
      </div>
      {kind === 'pause' && (
        <ChoiceGroup legend="For how long?" columns>
          {pauseMonths.map((count) => (
            <Choice
              key={count}
              type="radio"
              name="months"
              label={count === 1 ? 'One month' : `${count === 2 ? 'Two' : 'Three'} months`}
              checked={months === count}
              onChange={() => setMonths(count)}
            />
          ))}
        </ChoiceGroup>
      )}
      <FormError>{formErrorMessage(take.error)}</FormError>
      {isSwitching && offer.plan && overview.plan ? (
        <SwitchPanel
          from={overview.plan}
          lostPrice={null}
          to={offer.plan}
          trialing={false}
          teamMembers={teamMembers}
          onClose={() => setSwitching(false)}
        />
      ) : null}
      <div className="grid gap-3 sm:grid-cols-2">
        <Button variant="secondary" pending={take.isPending} onClick={takeOffer}>
          {button}
        </Button>
        <Button variant="secondary" pending={canceling} onClick={onCancel}>
          Cancel anyway
        </Button>
      </div>
    </section>
  )
}

function describeOffer({ kind, plan, percentOff }: StayOffer, { price, periodEnd }: BillingOverview) {
  const until = periodEnd ? formatDay(periodEnd) : 'the end of the period'
  const offered = plan ? planOf(publication, plan) : undefined
  switch (kind) {
    case 'pause':
      return {
        title: 'Take a break instead?',
        text: `You keep full access until ${until}. After that, you don’t pay and have no access until the pause ends. Then your plan continues and your card is charged again. You can come back earlier with one click.`,
        button: 'Pause my plan',
      }
    case 'discount':
      return {
        title: `Stay another month for ${percentOff}% off?`,
        text: `Your next payment is ${percentOff}% off. After that, you pay ${price ? formatPrice(price) : 'the same'} as before.`,
        button: `Stay for ${percentOff}% off`,
      }
    case 'yearly':
      return {
        title: 'Pay by the year instead?',
        text: `${offered?.name} is ${offered && pricePerInterval(offered)}, which is less than twelve months of your plan.`,
        button: 'See the cost',
      }
    case 'cheaper_plan':
      return {
        title: `Switch to ${offered?.name} instead?`,
        text: `It’s ${offered && pricePerInterval(offered)}.`,
        button: 'See the cost',
      }
  }
}
