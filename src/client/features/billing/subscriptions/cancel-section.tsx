import { useMutation } from '@tanstack/react-query'
import { type RefCallback, type SubmitEvent, useRef, useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import {
  type BillingOverview,
  cancelPlanCall,
  cancelReasonKeys,
  cancelReasons,
  offerToStayCall,
  type StayOffer,
  takeStayOfferCall,
} from '#shared/contracts/billing/billing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { withdrawalDays } from '#shared/domain/legal.ts'
import { pricePerInterval } from '#shared/domain/plan-texts.ts'
import { planOf } from '#shared/domain/plans.ts'
import { formatPrice, specialPrice } from '#shared/domain/subscription-price.ts'
import { usePlanChange } from './account-billing.api.ts'
import { describeLostAccess } from './describe-lost-access.ts'
import { describePause, type PauseMonths, PauseMonthsChoice } from './pause-section.tsx'
import { SwitchPanel } from './switch-section.tsx'

type CancelFeedback = { reason: (typeof cancelReasonKeys)[number] | null; comment: string | null }

/** Asks for the offer that fits the reason. Canceling works without an answer. */
const useOfferToStay = () =>
  useMutation({
    mutationFn: async (reason: NonNullable<CancelFeedback['reason']>) =>
      (await invoke(offerToStayCall, { reason })).offer,
  })

const useCancelPlan = () =>
  usePlanChange<CancelFeedback>((feedback, requestId) => invoke(cancelPlanCall, { ...feedback, requestId }), {
    done: 'Your plan is canceled',
  })

type CancelSectionProps = { overview: BillingOverview; teamMembers: readonly string[] | null }

/** Canceling takes two clicks, also past an offer; giving a reason is optional. */
export function CancelSection({ overview, teamMembers }: CancelSectionProps) {
  const [isOpen, setOpen] = useState(false)
  const { ref, focusWhenShown } = useFocusWhenShown()
  const toggle = () => {
    focusWhenShown()
    setOpen(!isOpen)
  }
  const lostPrice = overview.plan && specialPrice(planOf(publication, overview.plan), overview.price)
  const lostAccess = describeLostAccess(teamMembers, overview.plan, null)
  return (
    <Section
      title="Cancel your plan"
      lede={
        <>
          {describeConsequence(overview)} You can also cancel under Manage.
          {lostPrice && ` If you start a plan again later, you pay its regular price instead of ${lostPrice}.`}
          {publication.legal.withdrawal !== 'off' && (
            <span className="mt-2 block">
              Bought in the last {withdrawalDays} days?{' '}
              <a href="/withdraw" className="text-link">
                Withdraw from contract here
              </a>
            </span>
          )}
          {lostAccess && <span className="mt-2 block text-ink [overflow-wrap:anywhere]">{lostAccess} too.</span>}
        </>
      }
    >
      {isOpen ? (
        <CancelForm ref={ref} overview={overview} teamMembers={teamMembers} onClose={toggle} />
      ) : (
        <Button ref={ref} variant="secondary" onClick={toggle}>
          Cancel plan
        </Button>
      )}
    </Section>
  )
}

function describeConsequence({ status, periodEnd }: BillingOverview): string {
  if (status === 'past_due' || status === 'on_hold') {
    return 'Your plan ends immediately because the last payment failed. We won’t charge your card again.'
  }
  if (status === 'paused') return 'Your plan ends immediately. We won’t charge your card again.'
  const end = periodEnd ? formatDay(periodEnd) : 'the end of the period'
  return `You keep full access until ${end} and won’t be charged again. You can resume the plan until then.`
}

type CancelFormProps = CancelSectionProps & { ref: RefCallback<HTMLElement>; onClose: () => void }

function CancelForm({ ref, overview, teamMembers, onClose }: CancelFormProps) {
  const cancel = useCancelPlan()
  const offerToStay = useOfferToStay()
  const [reason, setReason] = useState<CancelFeedback['reason']>(null)
  const form = useRef<HTMLFormElement>(null)
  const offer = reason === null ? null : offerToStay.data

  const comment = () => {
    const typed = form.current && new FormData(form.current).get('comment')
    return String(typed ?? '').trim() || null
  }
  const cancelPlan = () => {
    if (!cancel.isPending) cancel.mutate({ reason, comment: comment() })
  }
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    cancelPlan()
  }
  const chooseReason = (chosen: NonNullable<CancelFeedback['reason']>) => {
    setReason(chosen)
    if (overview.status === 'active' && !overview.pause) offerToStay.mutate(chosen)
  }

  return (
    <Panel ref={ref} label="Cancel plan">
      <form ref={form} onSubmit={handleSubmit} className="grid gap-5">
        <ChoiceGroup legend="Why are you canceling?" hint="Optional. Your answer helps us improve." columns>
          {cancelReasonKeys.map((key) => (
            <Choice
              key={key}
              type="radio"
              name="reason"
              label={cancelReasons[key]}
              checked={reason === key}
              onChange={() => chooseReason(key)}
            />
          ))}
        </ChoiceGroup>
        <TextField label="Anything else you’d like to tell us?" name="comment" maxLength={500} autoComplete="off" />
        <FormError>{formErrorMessage(cancel.error)}</FormError>
        {!offer && (
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="danger" pending={cancel.isPending}>
              Cancel my plan
            </Button>
            <Button variant="secondary" onClick={onClose}>
              Keep my plan
            </Button>
          </div>
        )}
      </form>
      {offer && (
        <div className="mt-5 grid gap-3">
          <StayOfferForm
            key={offer.kind}
            offer={offer}
            overview={overview}
            teamMembers={teamMembers}
            comment={comment}
            onCancel={cancelPlan}
            canceling={cancel.isPending}
          />
          <div>
            <Button variant="quiet" className="-mx-4" onClick={onClose}>
              Keep my plan as it is
            </Button>
          </div>
        </div>
      )}
    </Panel>
  )
}

type TakenOffer = {
  id: string
  kind: 'pause' | 'discount'
  months: PauseMonths
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
function StayOfferForm({ offer, overview, teamMembers, comment, onCancel, canceling }: StayOfferFormProps) {
  const { id, kind } = offer
  const take = useTakeStayOffer(kind)
  const [months, setMonths] = useState<PauseMonths>(1)
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
      {kind === 'pause' && <PauseMonthsChoice months={months} onChange={setMonths} />}
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
  const offered = plan ? planOf(publication, plan) : undefined
  switch (kind) {
    case 'pause':
      return {
        title: 'Take a break instead?',
        text: describePause({ price, periodEnd }),
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
