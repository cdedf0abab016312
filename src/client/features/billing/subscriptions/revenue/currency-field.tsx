import { useId } from 'react'
import { OptionList } from '#client/ui/form.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'

type CurrencyFieldProps = {
  currencies: readonly string[] | undefined
  currency: string | undefined
  onChoose: (currency: string) => void
}

/** Empty while all payments are in one currency. */
export function CurrencyField({ currencies, currency, onChoose }: CurrencyFieldProps) {
  const id = useId()
  if (!currencies || currencies.length < 2) return null
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <label htmlFor={id} className="text-sm font-semibold">
        Currency
      </label>
      <select
        id={id}
        className={`${inputStyles} min-w-24 max-w-full`}
        value={currency}
        onChange={(event) => onChoose(event.target.value)}
      >
        <OptionList of={currencies.map((one) => [one, one.toUpperCase()])} />
      </select>
    </div>
  )
}
