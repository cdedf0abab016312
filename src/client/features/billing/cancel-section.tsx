import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { type BillingOverview, cancelReasonKeys, cancelReasons } from '#shared/contracts/billing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { type Leaving, useCancelPlan } from './account-billing.api.ts'
import { whoLosesAccess } from './who-loses-access.ts'

type CancelSectionProps = { overview: BillingOverview; teamMembers: readonly string[] | null }

/** One click to the form, one to leave; the reason is asked for, not demanded. */
export function CancelSection({ overview, teamMembers }: CancelSectionProps) {
  const [open, setOpen] = useState(false)
  const others = whoLosesAccess(teamMembers, overview.plan, null)
  return (
    <Section
      title="Cancel your plan"
      lede={
        <>
          {whatItMeans(overview)}
          {others && <span className="mt-2 block text-ink [overflow-wrap:anywhere]">{others} with you.</span>}
        </>
      }
    >
      {open ? (
        <LeaveForm onClose={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setOpen(true)}>
          Cancel plan
        </Button>
      )}
    </Section>
  )
}

function whatItMeans({ standing, periodEnd }: BillingOverview): string {
  if (standing === 'past_due' || standing === 'on_hold') {
    return 'It ends at once, since nothing is paid ahead, and your card is not tried again.'
  }
  return `Everything stays open until ${periodEnd ? formatDay(periodEnd) : 'its last day'}, and nothing more is charged. You can change your mind until then.`
}

function LeaveForm({ onClose }: { onClose: () => void }) {
  const cancel = useCancelPlan()
  const [reason, setReason] = useState<Leaving['reason']>(null)

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (cancel.isPending) return
    const comment = String(new FormData(event.currentTarget).get('comment')).trim()
    cancel.mutate({ reason, comment: comment || null })
  }

  return (
    <Panel label="Cancel plan">
      <form onSubmit={handleSubmit} className="grid gap-5">
        <ChoiceGroup legend="Why are you leaving?" hint="Optional. It helps us to do better." columns>
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
        <TextField label="Anything you want to tell us" name="comment" maxLength={500} autoComplete="off" />
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
