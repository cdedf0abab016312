import { useState } from 'react'
import { CallError } from '#client/lib/call-error.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { StepUpDeclined } from '#client/lib/step-up.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Panel } from '#client/ui/panel.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { formatDay } from '#shared/domain/format.ts'
import { formatMoney } from '#shared/domain/format-money.ts'
import { type PlanKey, planKeys, plans } from '#shared/domain/plans.ts'
import { useSwitchPlan, useSwitchPreview } from './account-billing.api.ts'
import { whoLosesAccess } from './who-loses-access.ts'

type SwitchSectionProps = {
  current: PlanKey
  trialing: boolean
  /** Addresses of the people on the team; null while that isn't known. */
  teamMembers: readonly string[] | null
  switchTo: PlanKey | null
}

/** The other plans; what going over would cost today stands there before anything is agreed to. */
export function SwitchSection({ current, trialing, teamMembers, switchTo }: SwitchSectionProps) {
  const [wanted, setWanted] = useState(switchTo)
  return (
    <Section title="Switch plan" lede="What you have paid for and not used yet counts towards the new plan.">
      <ul aria-label="Other plans" className="divide-y divide-line border-t border-line">
        {planKeys
          .filter((key) => key !== current)
          .map((key) => (
            <li key={key} className="py-2">
              <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
                <p className="tabular-nums">
                  <span className="font-semibold">{plans[key].name}</span>{' '}
                  <span className="text-muted">
                    {plans[key].priceText} per {plans[key].interval}
                    {plans[key].note && `. ${plans[key].note}`}
                  </span>
                </p>
                <Button
                  variant="quiet"
                  size="sm"
                  className="-mx-3"
                  aria-expanded={wanted === key}
                  aria-label={`See what it costs: ${plans[key].name}`}
                  onClick={() => setWanted(wanted === key ? null : key)}
                >
                  See what it costs
                </Button>
              </div>
              {wanted === key && (
                <div className="mt-3 mb-2">
                  <SwitchPanel
                    from={current}
                    to={key}
                    trialing={trialing}
                    teamMembers={teamMembers}
                    onClose={() => setWanted(null)}
                  />
                </div>
              )}
            </li>
          ))}
      </ul>
    </Section>
  )
}

/** It costs something else by now: the new amount comes, to be agreed to anew. */
const isOld = (error: Error) => error instanceof CallError && error.code === 'validation_failed'

type SwitchPanelProps = Pick<SwitchSectionProps, 'trialing' | 'teamMembers'> & {
  from: PlanKey
  to: PlanKey
  onClose: () => void
}

function SwitchPanel({ from, to, trialing, teamMembers, onClose }: SwitchPanelProps) {
  const others = whoLosesAccess(teamMembers, from, to)
  const preview = useSwitchPreview(to)
  const change = useSwitchPlan(to)
  const { name, priceCents, priceText, interval } = plans[to]
  const cost = preview.data
  const problem =
    change.error && !(change.error instanceof StepUpDeclined)
      ? change.error
      : preview.isError && !preview.isFetching
        ? preview.error
        : null

  return (
    <Panel label={`Switch to ${name}`}>
      <div aria-live="polite" className="min-h-18 max-w-[60ch]">
        {cost ? (
          <>
            <p className="text-lg">
              {trialing ? (
                'Nothing is charged today: your trial goes on.'
              ) : cost.dueTodayCents === 0 ? (
                'Nothing is charged today.'
              ) : (
                <>
                  <strong className="font-semibold tabular-nums">
                    {formatMoney(cost.dueTodayCents, cost.currency)}
                  </strong>{' '}
                  today
                </>
              )}
            </p>
            <p className="mt-1 text-muted tabular-nums">
              {cost.creditCents > 0 &&
                `${formatMoney(cost.creditCents, cost.currency)} of what you paid is left over and counts towards coming payments. `}
              From <time dateTime={cost.nextAt}>{formatDay(cost.nextAt)}</time> it is{' '}
              {cost.nextCents === priceCents && cost.currency === 'usd'
                ? `${priceText} per ${interval}.`
                : `${formatMoney(cost.nextCents, cost.currency)} with your discount, ${priceText} per ${interval} without.`}
            </p>
            {others && <p className="mt-2 font-semibold [overflow-wrap:anywhere]">{others} now.</p>}
          </>
        ) : (
          !problem && <SkeletonText lines={2} />
        )}
      </div>
      <div className="mt-4 grid gap-5">
        <FormError>{problem && errorMessage(problem)}</FormError>
        <div className="flex flex-wrap gap-3">
          {cost ? (
            <Button
              pending={change.isPending || preview.isFetching}
              onClick={() => change.mutate(cost, { onError: (error) => isOld(error) && void preview.refetch() })}
            >
              Switch to {name}
            </Button>
          ) : (
            preview.isError && (
              <Button variant="secondary" pending={preview.isFetching} onClick={() => void preview.refetch()}>
                Try again
              </Button>
            )
          )}
          <Button variant="secondary" onClick={onClose}>
            Keep my plan
          </Button>
        </div>
      </div>
    </Panel>
  )
}
