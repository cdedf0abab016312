import { useState } from 'react'
import { CallError } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { CheckField, FormActions, SelectField, TextAreaField, TextField } from '#client/ui/form.tsx'
import type { StoredPlan, StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import { type IntervalUnit, intervalUnits, periodText } from '#shared/domain/billing-interval.ts'
import { amountAsInput, parseAmount } from '#shared/domain/format.ts'
import { type EditablePlan, planCurrencies, problemOfPlan } from '#shared/domain/plan-problem.ts'
import { type OncePaid, oncePaid } from '#shared/domain/plan-terms.ts'
import { unlimitedSeats } from '#shared/domain/plans.ts'
import { formatPrice, listPrice } from '#shared/domain/subscription-price.ts'
import { useSavePlan } from './plans.api.ts'

const usualPeriods: readonly (readonly [string, string])[] = [
  ['month', 'Monthly'],
  ['year', 'Yearly'],
  ['week', 'Weekly'],
  ['3 months', 'Every 3 months'],
  ['6 months', 'Every 6 months'],
  ['2 years', 'Every 2 years'],
  ['other', 'Another period'],
]

const oncePeriods: typeof usualPeriods = [
  ['month', '1 month'],
  ['3 months', '3 months'],
  ['6 months', '6 months'],
  ['year', '1 year'],
  ['2 years', '2 years'],
  ['other', 'Another period'],
]

/** Someone else has saved the plan since it was loaded. */
const isConflict = (error: unknown) => error instanceof CallError && error.code === 'edit_conflict'

type PlanFormProps = Pick<StoredPlans, 'usualTrialDays' | 'mainCurrency'> & {
  /** Null for a new plan. */
  plan: StoredPlan | null
  onReload: () => void
  onClose: () => void
}

const number = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : Number.NaN)

export function PlanForm({ plan, usualTrialDays, mainCurrency, onReload, onClose }: PlanFormProps) {
  const save = useSavePlan()
  /** One per form, so that a second click creates one plan. */
  const [requestId] = useState(() => crypto.randomUUID())
  const [currency, setCurrency] = useState(plan?.currency ?? mainCurrency)
  const [price, setPrice] = useState(plan ? amountAsInput(plan.priceCents, plan.currency) : '')
  const [interval, setInterval] = useState<IntervalUnit>(plan?.interval ?? 'month')
  const [count, setCount] = useState(String(plan?.intervalCount ?? 1))
  const intervalCount = number(count)
  const period = periodText({ interval, intervalCount })
  const [isOther, setIsOther] = useState(!(plan?.once ? oncePeriods : usualPeriods).some(([usual]) => usual === period))
  const handlePeriod = (chosen: string) => {
    setIsOther(chosen === 'other')
    if (chosen === 'other') return
    const [of, unit = of] = chosen.split(' ')
    setCount(of === unit ? '1' : (of ?? '1'))
    setInterval(intervalUnits.find((one) => unit?.startsWith(one)) ?? 'month')
  }
  const [once, setOnce] = useState<OncePaid | undefined>(plan?.once ?? undefined)
  const [perSeat, setPerSeat] = useState(plan?.perSeat ?? false)
  const [isUnlimited, setUnlimited] = useState(plan?.seats === unlimitedSeats)
  const [forSupporters, setForSupporters] = useState(plan?.forSupporters ?? false)
  const [problem, setProblem] = useState<string | null>(null)
  const [floor, setFloor] = useState(plan?.floorCents ? amountAsInput(plan.floorCents, plan.currency) : '')
  const floorCents = floor.trim() === '' ? null : (parseAmount(floor, currency) ?? Number.NaN)
  const priceCents = parseAmount(price, currency)
  const isNewPrice =
    plan !== null &&
    priceCents !== null &&
    (priceCents !== plan.priceCents || currency !== plan.currency || period !== periodText(plan))

  const handleSubmit = submitHandler(save, (text) => {
    const terms: EditablePlan = {
      name: text('name'),
      note: text('note'),
      features: text('features')
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
      priceCents: priceCents ?? Number.NaN,
      currency,
      interval,
      intervalCount: once === 'forever' ? 1 : intervalCount,
      ...(once && { once }),
      floorCents,
      seats: once ? 1 : !perSeat && isUnlimited ? unlimitedSeats : number(text('seats')),
      perSeat: !once && perSeat,
      forSupporters,
      trialDays: once || text('trialDays') === '' ? null : number(text('trialDays')),
      trialPriceCents:
        once || text('trialPrice') === '' ? null : (parseAmount(text('trialPrice'), currency) ?? Number.NaN),
    }
    const found = terms.features.length > 8 ? 'List up to 8 things that the plan includes.' : problemOfPlan(terms)
    setProblem(found)
    if (found) return
    const { key, version } = plan ?? { key: null, version: 0 }
    save.mutate({ key, version, requestId, ...terms, features: [...terms.features] }, { onSuccess: onClose })
  })

  return (
    <form
      onSubmit={handleSubmit}
      aria-label={plan ? `Edit ${plan.name}` : 'Create plan'}
      className="grid max-w-3xl gap-5"
    >
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField label="Name" name="name" required maxLength={40} autoComplete="off" defaultValue={plan?.name} />
        <TextField
          label="Line below the price"
          name="note"
          maxLength={60}
          autoComplete="off"
          defaultValue={plan?.note}
          hint="Optional, such as “Save $21 a year”."
        />
        <TextField
          label={floor === '' ? 'Price' : 'Suggested price'}
          inputMode="decimal"
          autoComplete="off"
          required
          value={price}
          onChange={(event) => setPrice(event.target.value)}
          error={price !== '' && priceCents === null ? 'Enter an amount, such as 10 or 7.50' : ''}
        />
        <TextField
          label="Minimum amount"
          inputMode="decimal"
          autoComplete="off"
          value={floor}
          onChange={(event) => setFloor(event.target.value)}
          hint="Optional. Buyers then choose what they pay, from this amount on."
        />
        <SelectField
          label="Currency"
          value={currency}
          onChange={(event) => setCurrency(event.target.value)}
          options={Object.keys(planCurrencies).map((code) => [code, code.toUpperCase()])}
        />
        <SelectField
          label="Sold as"
          disabled={plan !== null}
          value={once ?? ''}
          onChange={(event) => setOnce(oncePaid.find((kind) => kind === event.target.value))}
          options={[
            ['', 'A plan that renews'],
            ['period', 'One-time purchase, for a time'],
            ['forever', 'One-time purchase, for good'],
          ]}
        />
        {once !== 'forever' && (
          <div className={isOther ? 'grid grid-cols-2 gap-5' : 'grid'}>
            <SelectField
              label={once ? 'Access for' : 'Paid'}
              value={isOther ? 'other' : period}
              onChange={(event) => handlePeriod(event.target.value)}
              options={once ? oncePeriods : usualPeriods}
            />
            {isOther && (
              <>
                <TextField
                  label={once ? 'Number' : 'Paid every'}
                  inputMode="numeric"
                  autoComplete="off"
                  required
                  value={count}
                  onChange={(event) => setCount(event.target.value)}
                />
                <SelectField
                  label="Unit"
                  value={interval}
                  onChange={(event) => setInterval(event.target.value as IntervalUnit)}
                  options={intervalUnits.map((unit) => [unit, `${unit}s`])}
                />
              </>
            )}
          </div>
        )}
        {!once && (
          <>
            <SelectField
              label="Charged"
              hint={
                plan
                  ? 'This can’t change. Create another plan and retire this one.'
                  : 'Per seat, buyers choose how many seats they pay for, and add more at any time.'
              }
              value={perSeat ? 'seat' : 'plan'}
              disabled={plan !== null}
              onChange={(event) => setPerSeat(event.target.value === 'seat')}
            >
              <option value="plan">Once for everyone</option>
              <option value="seat">Per seat</option>
            </SelectField>
            <div className="grid gap-1">
              <TextField
                label={perSeat ? 'Minimum seats' : 'People'}
                name="seats"
                inputMode="numeric"
                autoComplete="off"
                required
                disabled={isUnlimited && !perSeat}
                defaultValue={plan && plan.seats !== unlimitedSeats ? plan.seats : 1}
                hint={
                  perSeat
                    ? 'Including the owner. Teams that have fewer keep them.'
                    : 'Including the owner. With more than one, the owner can invite a team.'
                }
              />
              {!perSeat && (
                <CheckField
                  label="Any number of people"
                  checked={isUnlimited}
                  onChange={({ target }) => setUnlimited(target.checked)}
                />
              )}
            </div>
            <TextField
              label="Days of trial"
              name="trialDays"
              inputMode="numeric"
              autoComplete="off"
              defaultValue={plan?.trialDays ?? ''}
              hint={`Empty for the server’s setting, which is ${usualTrialDays}.`}
            />
            <TextField
              label="Trial price"
              name="trialPrice"
              inputMode="decimal"
              autoComplete="off"
              defaultValue={plan?.trialPriceCents ? amountAsInput(plan.trialPriceCents, plan.currency) : ''}
              hint={`Optional. Charged once at checkout${perSeat ? ', not per seat' : ''}. Empty for a free trial.`}
            />
          </>
        )}
      </div>
      <TextAreaField
        label="What it includes"
        hint="Optional, one thing per line. Shown on the plan’s card."
        name="features"
        rows={3}
        maxLength={700}
        defaultValue={plan?.features.join('\n')}
      />
      <Choice
        type="checkbox"
        label="For supporters"
        description="Shown after the other plans. Its members have a small mark at their answers under drops."
        checked={forSupporters}
        onChange={({ target }) => setForSupporters(target.checked)}
      />
      {currency !== mainCurrency && (
        <p className="text-muted">
          Money shows {currency.toUpperCase()} and {mainCurrency.toUpperCase()} separately. Members can switch only
          between plans in their own currency.
        </p>
      )}
      {isNewPrice && plan.members > 0 && (
        <p role="status" className="border-l-3 border-accent bg-accent-soft px-4 py-3">
          New members pay {formatPrice(listPrice({ priceCents, currency, interval, intervalCount, once, perSeat }))}.{' '}
          {plan.members === 1 ? 'The member' : `The ${plan.members} members`} of this plan keep the price they have now.
          You can move them afterward, with a notice by email.
        </p>
      )}
      <FormActions action={plan ? 'Save plan' : 'Create plan'} change={save} error={problem} onCancel={onClose}>
        {isConflict(save.error) && (
          <Button variant="secondary" onClick={onReload}>
            Show the newer version
          </Button>
        )}
      </FormActions>
    </form>
  )
}
