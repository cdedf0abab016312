import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { type BillingOverview, cancelReasonKeys, cancelReasons } from '#shared/contracts/billing/billing.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { planOf } from '#shared/domain/plans.ts'
import { specialPrice } from '#shared/domain/subscription-price.ts'
import { type CancelFeedback, useCancelPlan } from './account-billing.api.ts'
import { describeLostAccess } from './describe-lost-access.ts'

type CancelSectionProps = { overview: BillingOverview; teamMembers: readonly string[] | null }

/** Canceling takes two clicks; giving a reason is optional. */
export function CancelSection({ overview, teamMembers }: CancelSectionProps) {
  const [isOpen, setOpen] = useState(false)
  const lostPrice = overview.plan && specialPrice(planOf(overview.plan), overview.price)
  const lostAccess = describeLostAccess(teamMembers, overview.plan, null)
  return (
    <Section
      title="Cancel your plan"
      lede={
        <>
          {describeConsequence(overview)}
          {lostPrice && ` If you start a plan again later, you pay its regular price instead of ${lostPrice}.`}
          {lostAccess && <span className="mt-2 block text-ink [overflow-wrap:anywhere]">{lostAccess} too.</span>}
        </>
      }
    >
      {isOpen ? (
        <CancelForm onClose={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setOpen(true)}>
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
  const end = periodEnd ? formatDay(periodEnd) : 'the end of the period'
  return `You keep full access until ${end} and won’t be charged again. You can resume the plan until then.`
}

function CancelForm({ onClose }: { onClose: () => void }) {
  const cancel = useCancelPlan()
  const [reason, setReason] = useState<CancelFeedback['reason']>(null)

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (cancel.isPending) return
    const comment = String(new FormData(event.currentTarget).get('comment')).trim()
    cancel.mutate({ reason, comment: comment || null })
  }

  return (
    <Panel label="Cancel plan">
      <form onSubmit={handleSubmit} className="grid gap-5">
        <ChoiceGroup legend="Why are you canceling?" hint="Optional. Your answer helps us improve." columns>
          {cancelReasonKeys.map((key) => (
            <Choice
              key={key}
              type="radio"
              name="reason"
              label={cancelReasons[key]}
              checked={reason === key}
              onChange={() => setReason(key)}
            />
          ))}
        </ChoiceGroup>
        <TextField label="Anything else you’d like to tell us?" name="comment" maxLength={500} autoComplete="off" />
        <FormError>{formErrorMessage(cancel.error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" variant="danger" pending={cancel.isPending}>
            Cancel my plan
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep my plan
          </Button>
        </div>
      </form>
    </Panel>
  )
}
