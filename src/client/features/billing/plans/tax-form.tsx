import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Choice } from '#client/ui/choice.tsx'
import { Section } from '#client/ui/section.tsx'
import { SelectField } from '#client/ui/select-field.tsx'
import { SettingsForm } from '#client/ui/settings-form.tsx'
import type { StoredPlans } from '#shared/contracts/billing/admin-plans.ts'
import { storedPlansQuery, useSaveTax } from './plans.api.ts'

/** Whether new subscriptions are taxed. Only owners change it. */
export function TaxSection({ canEdit }: { canEdit: boolean }) {
  const { data } = useQuery(storedPlansQuery)
  if (!data) return null
  return (
    <Section
      title="Tax"
      status={data.tax.settings.enabled ? 'On' : 'Off'}
      lede="Stripe computes the tax of new subscriptions by the buyer’s address. Members keep what they pay. Gifts are sold without tax."
    >
      {canEdit && <TaxForm key={data.tax.version} tax={data.tax} />}
    </Section>
  )
}

function TaxForm({ tax: { settings, version } }: Pick<StoredPlans, 'tax'>) {
  const save = useSaveTax(version)
  const [values, setValues] = useState(settings)
  return (
    <SettingsForm label="Tax settings" action="Save tax" values={values} save={save} className="max-w-xl">
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
    </SettingsForm>
  )
}
