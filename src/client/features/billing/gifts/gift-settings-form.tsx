import { useState } from 'react'
import { invoke } from '#client/lib/invoke.ts'
import { publication } from '#client/lib/publication.ts'
import { useInvalidate } from '#client/lib/use-invalidate.ts'
import { useSensitiveMutation } from '#client/lib/use-sensitive-mutation.ts'
import { SelectField } from '#client/ui/select-field.tsx'
import { SettingsForm } from '#client/ui/settings-form.tsx'
import { adminSaveGiftSettingsCall, type GiftSettings } from '#shared/contracts/billing/gifts.ts'
import { formatWholeMoney } from '#shared/domain/format-money.ts'
import { claimDays, giftPriceCents } from '#shared/domain/gifts.ts'
import { plansOnSale } from '#shared/domain/plans.ts'
import { giftsQuery } from './admin-gifts.api.ts'

const useSaveGiftSettings = (version: number) =>
  useSensitiveMutation({
    mutationFn: (settings: GiftSettings) => invoke(adminSaveGiftSettingsCall, { settings, version }),
    done: 'Settings saved',
    onSuccess: useInvalidate(giftsQuery.queryKey),
  })

type GiftSettingsFormProps = { settings: GiftSettings; version: number }

/** Sets the price of gifts, and whether unusable ones are refunded or extended. */
export function GiftSettingsForm({ settings, version }: GiftSettingsFormProps) {
  const save = useSaveGiftSettings(version)
  const [values, setValues] = useState(settings)
  return (
    <SettingsForm label="Gift settings" values={values} save={save} className="max-w-3xl sm:grid-cols-2">
      <SelectField
        label="Price of a year"
        fieldClassName="sm:col-span-2"
        hint="Readers buy gifts at this price, paid once."
        value={values.plan ?? ''}
        onChange={(event) => setValues({ ...values, plan: event.target.value || null })}
      >
        <option value="">Don’t sell gifts</option>
        {plansOnSale(publication).map((plan) => (
          <option key={plan.key} value={plan.key}>
            {formatWholeMoney(giftPriceCents(plan), plan.currency)}, as a year of {plan.name}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="If the recipient already pays"
        value={values.forPayers}
        onChange={(event) => setValues({ ...values, forPayers: event.target.value as GiftSettings['forPayers'] })}
      >
        <option value="credit">Credit their next renewals</option>
        <option value="refund">Refund the giver</option>
      </SelectField>
      <SelectField
        label={`If no one claims it in ${claimDays} days`}
        value={values.unclaimed}
        onChange={(event) => setValues({ ...values, unclaimed: event.target.value as GiftSettings['unclaimed'] })}
      >
        <option value="refund">Refund the giver</option>
        <option value="extend">Remind, wait {claimDays} more days, then refund</option>
      </SelectField>
    </SettingsForm>
  )
}
