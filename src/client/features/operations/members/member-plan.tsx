import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, SelectField, TextField } from '#client/ui/form.tsx'
import { SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import type { EntitlementReport } from '#shared/contracts/billing/admin-billing.ts'
import { pauseMonths } from '#shared/contracts/billing/billing.ts'
import { adminChangeMemberPlanCall, adminPreviewMemberSwitchCall } from '#shared/contracts/billing/member-billing.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { pricePerInterval } from '#shared/domain/plan-texts.ts'
import { isForTeam, type PlanKey, planOf, plansOnSale } from '#shared/domain/plans.ts'
import { entitlementQuery } from './member.api.ts'

/** Never cached, since the amount drops every hour, and the one on screen must stay. */
const memberSwitchQuery = (userId: string, plan: PlanKey) =>
  alwaysStaleQuery(
    ['admin-member-switch', userId, plan],
    adminPreviewMemberSwitchCall,
    { userId, plan },
    { gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false },
  )

type Facts = NonNullable<EntitlementReport['subscription']>
type Open = { kind: 'cancel' | 'keep' | 'pause' | 'switch'; requestId: string }

const running: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])

/** Cancels, keeps, pauses, resumes or switches a member's own plan. For owners. */
export function MemberPlan({ userId }: { userId: string }) {
  const { data } = useQuery(entitlementQuery(userId))
  /** One request id per dialog, so that a second click changes nothing. */
  const [open, setOpen] = useState<Open | null>(null)
  const facts = data?.subscription
  if (!facts || !running.has(facts.status)) return null
  const show = (kind: Open['kind']) => setOpen({ kind, requestId: crypto.randomUUID() })
  const others = plansOnSale(publication).filter(
    ({ key, currency }) => key !== facts.plan && currency === currencyOf(facts),
  )
  const isUnpaid = facts.status === 'past_due' || facts.status === 'unpaid'
  const paused = isPaused(facts)
  const maySwitch = !facts.cancelAt && !paused && !isUnpaid && others.length > 0
  return (
    <Section title="Plan" lede={describe(facts)}>
      <div className="flex flex-wrap gap-3">
        {facts.cancelAt ? (
          <Button variant="secondary" onClick={() => show('keep')}>
            Undo the cancellation
          </Button>
        ) : (
          <Button variant="secondary" onClick={() => show('cancel')}>
            Cancel plan
          </Button>
        )}
        {paused && !facts.cancelAt && (
          <Button variant="secondary" onClick={() => show('keep')}>
            Resume plan
          </Button>
        )}
        {facts.status === 'active' && !facts.cancelAt && !paused && (
          <Button variant="secondary" onClick={() => show('pause')}>
            Pause plan
          </Button>
        )}
        {maySwitch && (
          <Button variant="secondary" onClick={() => show('switch')}>
            Switch plan
          </Button>
        )}
      </div>
      {open?.kind === 'switch' && (
        <SwitchDialog
          userId={userId}
          plans={others.map(({ key }) => key)}
          requestId={open.requestId}
          isTrial={facts.status === 'trialing'}
          isTeam={facts.plan !== null && isForTeam(planOf(publication, facts.plan))}
          onClose={() => setOpen(null)}
        />
      )}
      {open && open.kind !== 'switch' && (
        <ChangeDialog
          userId={userId}
          kind={open.kind}
          requestId={open.requestId}
          facts={facts}
          onClose={() => setOpen(null)}
        />
      )}
    </Section>
  )
}

const isPaused = ({ status, pauseStartsAt }: Facts) => status === 'paused' || pauseStartsAt !== null
const currencyOf = ({ plan }: Facts) => (plan ? planOf(publication, plan).currency : null)
const nameOf = ({ plan }: Facts) => (plan ? planOf(publication, plan).name : 'A plan that isn’t sold anymore')

function describe(facts: Facts): string {
  const name = nameOf(facts)
  if (facts.cancelAt) return `${name}, canceled. It ends on ${formatDay(facts.cancelAt)}.`
  if (isPaused(facts)) return `${name}, paused${facts.pauseStartsAt ? ` from ${formatDay(facts.pauseStartsAt)}` : ''}.`
  if (facts.unpaidSince) return `${name}. A payment has been open since ${formatDay(facts.unpaidSince)}.`
  return facts.currentPeriodEnd ? `${name}, paid until ${formatDay(facts.currentPeriodEnd)}.` : `${name}.`
}

type ChangeDialogProps = {
  userId: string
  kind: Exclude<Open['kind'], 'switch'>
  requestId: string
  facts: Facts
  onClose: () => void
}

function ChangeDialog({ userId, kind, requestId, facts, onClose }: ChangeDialogProps) {
  const change = useChange(adminChangeMemberPlanCall)
  const handleSubmit = submitHandler(change, (text) => {
    const note = text('note')
    const months = pauseMonths.find((count) => String(count) === text('months')) ?? 1
    const wanted = kind === 'cancel' ? { kind, note: note || null } : kind === 'pause' ? { kind, months } : { kind }
    change.mutate(
      { userId, requestId, change: wanted },
      {
        onSuccess: () => {
          toast.success(dones[kind], { id: 'member-plan' })
          onClose()
        },
      },
    )
  })
  const keep = facts.cancelAt ? 'Undo the cancellation' : 'Resume plan'
  const action = { cancel: 'Cancel plan', keep, pause: 'Pause plan' }[kind]
  return (
    <Dialog
      title={kind === 'keep' ? `${keep}?` : `${kind === 'cancel' ? 'Cancel' : 'Pause'} this member’s plan?`}
      onClose={onClose}
    >
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <p className="text-muted">{texts[kind](facts)}</p>
        {kind === 'pause' && (
          <SelectField
            label="For how long?"
            name="months"
            options={pauseMonths.map((count) => [String(count), formatCount(count, 'month')])}
          />
        )}
        {kind === 'cancel' && (
          <TextField
            label="Reason"
            name="note"
            maxLength={300}
            autoComplete="off"
            hint="Optional. For the staff log."
          />
        )}
        <FormActions
          action={action}
          variant={kind === 'cancel' ? 'danger' : 'primary'}
          change={change}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

const dones = { cancel: 'Plan canceled', keep: 'Plan continues', pause: 'Plan paused' } as const

function pauseText({ currentPeriodEnd }: Facts): string {
  const until = currentPeriodEnd ? ` on ${formatDay(currentPeriodEnd)}` : ''
  return `They keep access until the paid period ends${until}. After that they pay nothing and have no access until the pause ends, when their card is charged again. Do this only if the member asked for it. We email the member.`
}

function cancelText({ status, currentPeriodEnd }: Facts): string {
  if (status === 'paused') return 'It ends now, and isn’t charged again. We email the member.'
  if (status === 'past_due' || status === 'unpaid') {
    return 'It ends now, because the last renewal isn’t paid. The open invoice is no longer collected. We email the member.'
  }
  const until = currentPeriodEnd ? ` on ${formatDay(currentPeriodEnd)}` : ''
  return `They keep access until the paid period ends${until}, and aren’t charged again. Nothing is refunded. We email the member.`
}

function keepText(facts: Facts): string {
  const { cancelAt, currentPeriodEnd } = facts
  const isOver =
    !cancelAt &&
    (facts.status === 'paused' || new Date(facts.pauseStartsAt ?? '') <= new Date(facts.testClockTime ?? Date.now()))
  const at = isOver ? ' today' : currentPeriodEnd ? ` on ${formatDay(currentPeriodEnd)}` : ''
  return `The plan ${isOver ? 'starts a new period' : 'renews'}${at} and is charged again. Do this only if the member asked for it.`
}

const texts = { cancel: cancelText, keep: keepText, pause: pauseText } as const

type SwitchDialogProps = {
  userId: string
  plans: readonly PlanKey[]
  requestId: string
  isTrial: boolean
  isTeam: boolean
  onClose: () => void
}

function SwitchDialog({ userId, plans, requestId, isTrial, isTeam, onClose }: SwitchDialogProps) {
  const [plan, setPlan] = useState(plans[0] ?? '')
  const preview = useQuery({ ...memberSwitchQuery(userId, plan), enabled: plan !== '' })
  const change = useChange(adminChangeMemberPlanCall)
  const cost = preview.data
  const handleSubmit = submitHandler(change, () => {
    if (!cost) return
    const { prorationDate, dueTodayCents, seats } = cost
    change.mutate(
      { userId, requestId, change: { kind: 'switch', plan, prorationDate, dueTodayCents, seats } },
      {
        onSuccess: () => {
          toast.success('Plan switched', { id: 'member-plan' })
          onClose()
        },
        // The amount may have changed.
        onError: () => void preview.refetch(),
      },
    )
  })
  return (
    <Dialog title="Switch this member’s plan" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <SelectField
          label="New plan"
          value={plan}
          onChange={({ target: { value } }) => setPlan(value)}
          options={plans.map((key) => [
            key,
            `${planOf(publication, key).name}, ${pricePerInterval(planOf(publication, key))}`,
          ])}
        />
        <div aria-live="polite" className="min-h-14 tabular-nums">
          {cost ? (
            <>
              <p className="text-lg font-semibold">
                {isTrial || cost.dueTodayCents === 0
                  ? 'Nothing is charged today.'
                  : `${formatMoney(cost.dueTodayCents, cost.currency)} is charged to their card today.`}
              </p>
              <p className="mt-1 text-muted">
                {cost.creditCents > 0 && `They get ${formatMoney(cost.creditCents, cost.currency)} in credit. `}
                From {formatDay(cost.nextAt)} they pay {formatMoney(cost.nextCents, cost.currency)}
                {cost.seats !== null && ` for ${formatCount(cost.seats, 'seat')}`}. We email the member.
              </p>
            </>
          ) : preview.isError ? null : (
            <SkeletonText lines={2} />
          )}
        </div>
        {isTeam && plan !== '' && !isForTeam(planOf(publication, plan)) && (
          <p className="font-semibold">The other members of their team lose access at once.</p>
        )}
        <FormActions
          action="Switch plan"
          change={{ ...change, error: change.error ?? (cost ? null : preview.error) }}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
