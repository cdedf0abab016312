import { type ReactNode, useState } from 'react'
import { invoke } from '#client/lib/calls.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormError } from '#client/ui/form.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import { type BillingOverview, pauseMonths, pausePlanCall } from '#shared/contracts/billing/billing.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatPrice } from '#shared/domain/subscription-price.ts'
import { usePlanChange } from './account-billing.api.ts'

export type PauseMonths = (typeof pauseMonths)[number]

/** Explains a pause before it begins. */
export function describePause({ price, periodEnd }: Pick<BillingOverview, 'price' | 'periodEnd'>): string {
  const until = periodEnd ? formatDay(periodEnd) : 'the end of the period'
  const again = price ? ` at ${formatPrice(price)}` : ''
  return `You keep full access until ${until}. After that, you don’t pay and have no access until the pause ends. Then your plan continues${again} and your card is charged again. You can come back earlier with one click.`
}

type MonthsProps = { months: PauseMonths; onChange: (months: PauseMonths) => void }

export const PauseMonthsChoice = ({ months, onChange }: MonthsProps) => (
  <ChoiceGroup legend="For how long?" columns>
    {pauseMonths.map((count) => (
      <Choice
        key={count}
        type="radio"
        name="months"
        label={count === 1 ? 'One month' : `${count === 2 ? 'Two' : 'Three'} months`}
        checked={months === count}
        onChange={() => onChange(count)}
      />
    ))}
  </ChoiceGroup>
)

type PauseSectionProps = { overview: BillingOverview; lostAccess: ReactNode }

/** A break of one to three months, for a plan that is paid and renews. */
export function PauseSection({ overview, lostAccess }: PauseSectionProps) {
  const [isOpen, setOpen] = useState(false)
  const [months, setMonths] = useState<PauseMonths>(1)
  const { ref, focusWhenShown } = useFocusWhenShown()
  const pause = usePlanChange<PauseMonths>((count, requestId) => invoke(pausePlanCall, { months: count, requestId }), {
    done: 'Your plan is paused',
  })
  const toggle = () => {
    focusWhenShown()
    setOpen(!isOpen)
  }
  return (
    <Section
      title="Pause your plan"
      lede={
        <>
          Take a break for one to three months. {describePause(overview)}
          {lostAccess && <span className="mt-2 block text-ink [overflow-wrap:anywhere]">{lostAccess} meanwhile.</span>}
        </>
      }
    >
      {isOpen ? (
        <Panel ref={ref} label="Pause plan">
          <div className="grid gap-5">
            <PauseMonthsChoice months={months} onChange={setMonths} />
            <FormError>{formErrorMessage(pause.error)}</FormError>
            <div className="flex flex-wrap gap-3">
              <Button pending={pause.isPending} onClick={() => pause.mutate(months)}>
                Pause my plan
              </Button>
              <Button variant="secondary" onClick={toggle}>
                Keep my plan
              </Button>
            </div>
          </div>
        </Panel>
      ) : (
        <Button ref={ref} variant="secondary" onClick={toggle}>
          Pause plan
        </Button>
      )}
    </Section>
  )
}
