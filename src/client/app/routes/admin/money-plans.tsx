import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { PlanForm } from '#client/features/billing/plans/plan-form.tsx'
import { storedPlansQuery, useOrderPlans, useRetirePlan, useSaveTax } from '#client/features/billing/plans/plans.api.ts'
import { PriceMove } from '#client/features/billing/plans/price-move.tsx'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import { SelectField, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { MoveButtons } from '#client/ui/move-buttons.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { RetirableRow } from '#client/ui/retirable-list.tsx'
import { RetireButton } from '#client/ui/retire-button.tsx'
import { SettingsForm } from '#client/ui/settings-form.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { StoredPlan, StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import { formatDay } from '#shared/domain/format.ts'
import { accessText, peopleText, pricePerInterval } from '#shared/domain/plan-texts.ts'
import { priceTexts } from '#shared/domain/price-texts.ts'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Plans" />
      <div className="mt-8">
        <PlanList canEdit={role === 'owner'} />
        <TaxSection canEdit={role === 'owner'} />
      </div>
    </>
  )
}

/** Whether new subscriptions are taxed. Only owners change it. */
function TaxSection({ canEdit }: { canEdit: boolean }) {
  const { data } = useQuery(storedPlansQuery)
  if (!data) return null
  return (
    <Section
      title="Tax and invoices"
      status={data.tax.settings.enabled ? 'Tax on' : 'Tax off'}
      lede="Stripe computes the tax of new subscriptions by the buyer’s address. Members keep what they pay, also for seats that they add. Gifts and one-time purchases are taxed like plans."
    >
      {canEdit && <TaxForm key={data.tax.version} tax={data.tax} />}
    </Section>
  )
}

function TaxForm({ tax: { settings, version } }: Pick<StoredPlans, 'tax'>) {
  const save = useSaveTax(version)
  const [values, setValues] = useState(settings)
  return (
    <SettingsForm
      label="Tax and invoice settings"
      action="Save settings"
      values={values}
      save={save}
      className="max-w-xl"
    >
      <Choice
        type="checkbox"
        label="Collect tax with Stripe"
        description="Needs your address and registrations under Tax in Stripe’s dashboard. Stripe charges a fee for it."
        checked={values.enabled}
        onChange={(event) => setValues({ ...values, enabled: event.target.checked })}
      />
      {values.enabled && (
        <SelectField
          label="Plan prices and tax"
          value={values.included ? 'included' : 'added'}
          onChange={(event) => setValues({ ...values, included: event.target.value === 'included' })}
        >
          <option value="added">Tax is added to the price</option>
          <option value="included">The price includes tax</option>
        </SelectField>
      )}
      <Choice
        type="checkbox"
        label="Ask businesses for their tax ID"
        description="Checkout asks for it, and invoices show it."
        checked={values.taxIds}
        onChange={(event) => setValues({ ...values, taxIds: event.target.checked })}
      />
      <Choice
        type="checkbox"
        label="Companies can pay team plans by invoice"
        description="For confirmed addresses at a company’s own domain. Access begins when Stripe sends the invoice, and ends a week after its due date if it isn’t paid."
        checked={values.invoiceDays !== null}
        onChange={(event) => setValues({ ...values, invoiceDays: event.target.checked ? 30 : null })}
      />
      {values.invoiceDays !== null && (
        <TextField
          label="Days to pay"
          type="number"
          min={7}
          max={60}
          required
          hint="From 7 to 60."
          value={values.invoiceDays}
          onChange={(event) => setValues({ ...values, invoiceDays: event.target.valueAsNumber })}
        />
      )}
    </SettingsForm>
  )
}

/** The plans in the order of the landing page. Only owners change them. */
function PlanList({ canEdit }: { canEdit: boolean }) {
  const plans = useQuery(storedPlansQuery)
  /** The key of the plan that is edited; empty for a new one. */
  const [editing, setEditing] = useState<string | null>(null)
  /** The key of the plan whose members' prices are shown. */
  const [moving, setMoving] = useState<string | null>(null)
  const order = useOrderPlans()
  if (!plans.data) return <QueryPlaceholder query={plans} what="the plans" lines={4} height="h-24" />
  const { items, ...settings } = plans.data
  const form = (plan: StoredPlan | null) => (
    <PlanForm
      key={plan?.version}
      plan={plan}
      {...settings}
      onReload={() => void plans.refetch()}
      onClose={() => setEditing(null)}
    />
  )
  const move = (index: number, by: 1 | -1) => {
    const keys = items.map(({ key }) => key)
    keys.splice(index + by, 0, ...keys.splice(index, 1))
    order.mutate(keys)
  }
  return (
    <Section
      title="What you sell"
      lede="Plans as visitors see them. Each is a product at Stripe. Members keep the price they started with until you move them."
    >
      {canEdit && editing === null && <Button onClick={() => setEditing('')}>Create plan</Button>}
      {editing === '' && form(null)}
      <ul aria-label="Plans" className="mt-8 border-t-2 border-ink">
        {items.map((plan, index) => (
          <li key={plan.key} className="border-b border-line py-5 last:border-b-0 last:pb-0">
            {editing === plan.key ? (
              form(plan)
            ) : (
              <PlanRow
                plan={plan}
                buttons={
                  canEdit && (
                    <>
                      <MoveButtons
                        label={(direction) => `Move ${plan.name} ${direction}`}
                        isFirst={index === 0}
                        isLast={index === items.length - 1}
                        disabled={order.isPending}
                        onMove={(by) => move(index, by)}
                      />
                      <Button
                        variant="secondary"
                        size="sm"
                        aria-label={`Edit ${plan.name}`}
                        onClick={() => setEditing(plan.key)}
                      >
                        Edit
                      </Button>
                      {plan.isAtStripe && plan.members > 0 && (
                        <Button
                          variant="secondary"
                          size="sm"
                          aria-label={`Members’ prices: ${plan.name}`}
                          aria-expanded={moving === plan.key}
                          onClick={() => setMoving(moving === plan.key ? null : plan.key)}
                        >
                          Members’ prices
                        </Button>
                      )}
                      <RetirePlan plan={plan} />
                    </>
                  )
                }
              />
            )}
            {canEdit && moving === plan.key && editing !== plan.key && (
              <div className="mt-5 border-l border-line pl-5">
                <PriceMove plan={plan} onClose={() => setMoving(null)} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function PlanRow({ plan, buttons }: { plan: StoredPlan; buttons: React.ReactNode }) {
  const { name, note, features, members, retiredAt, isAtStripe, onOtherPrice } = plan
  const details = [note, plan.once ? accessText(plan) : peopleText(plan), ...features].filter(Boolean)
  return (
    <RetirableRow
      name={name}
      buttons={buttons}
      tags={
        retiredAt ? (
          <Tag>Retired {formatDay(retiredAt)}</Tag>
        ) : (
          <Tag tone={isAtStripe ? 'primary' : 'accent'}>{isAtStripe ? 'On sale' : 'Not on sale yet'}</Tag>
        )
      }
    >
      <p className="mt-1 tabular-nums">
        {pricePerInterval({ ...plan, ...priceTexts(plan) })}, {members === 1 ? '1 member' : `${members} members`}
        {onOtherPrice > 0 && `, ${onOtherPrice} at another price`}
      </p>
      <p className="text-sm text-muted">{details.join('\u00a0· ')}</p>
      {!isAtStripe && !retiredAt && (
        <p className="text-sm text-muted">Stripe doesn’t have this plan. Edit and save it to create it there.</p>
      )}
    </RetirableRow>
  )
}

function RetirePlan({ plan }: { plan: StoredPlan }) {
  const retire = useRetirePlan(plan)
  return (
    <RetireButton
      name={plan.name}
      isRetired={plan.retiredAt !== null}
      retire={retire}
      action="Retire plan"
      restore="Put back on sale"
    >
      New visitors won’t see it. Its members keep it at their price, and someone who is paying for it right now can
      finish. You can put it back on sale.
    </RetireButton>
  )
}
