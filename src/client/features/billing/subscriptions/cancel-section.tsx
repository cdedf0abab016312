import { useMutation } from '@tanstack/react-query'
import { type RefCallback, type SubmitEvent, useRef, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import {
  type BillingOverview,
  cancelPlanCall,
  cancelReasonKeys,
  cancelReasons,
  offerToStayCall,
} from '#shared/contracts/billing/billing.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { planOf } from '#shared/domain/plans.ts'
import { specialPrice } from '#shared/domain/subscription-price.ts'
import { usePlanChange } from './account-billing.api.ts'
import { describeLostAccess } from './describe-lost-access.ts'
import { StayOfferForm } from './stay-offer.tsx'

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
