import { useState } from 'react'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { CallError } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormActions, SelectField, TextField } from '#client/ui/form.tsx'
import { adminCreateOfferCall } from '#shared/contracts/billing/offers.ts'
import { parseAmount } from '#shared/domain/format.ts'
import {
  type OfferTerms,
  offerCodePattern,
  offerPriceText,
  offerTitle,
  problemOfOffer,
} from '#shared/domain/offer-terms.ts'
import { pricePerInterval } from '#shared/domain/plan-texts.ts'
import { mainCurrency, type PlanKey, planOf, plansOnSale } from '#shared/domain/plans.ts'

type OfferFormProps = {
  /** The time zone in which the last day ends. */
  timeZone: string
  onMade: (offer: { code: string; link: string }) => void
  onClose: () => void
}

const durations = {
  once: 'First payment only',
  repeating: 'A number of months',
  forever: 'As long as they stay',
} as const

/** Leaves out 0, O, 1 and I, which look alike. */
const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

/** "7KXQ2", which can't be guessed. */
const randomLetters = () =>
  [...crypto.getRandomValues(new Uint8Array(5))].map((byte) => letters[byte % letters.length]).join('')

const wholeNumber = (text: string) => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : null)

export function OfferForm({ timeZone, onMade, onClose }: OfferFormProps) {
  const create = useChange(adminCreateOfferCall)
  /** One per form, so that a second click creates one offer. */
  const [requestId, setRequestId] = useState(() => crypto.randomUUID())
  const [kind, setKind] = useState<'percent' | 'amount'>('percent')
  const [value, setValue] = useState('20')
  const [duration, setDuration] = useState<OfferTerms['duration']>('once')
  const [months, setMonths] = useState('3')
  const [chosen, setChosen] = useState<readonly PlanKey[]>(() => plansOnSale(publication).map(({ key }) => key))
  const [proposed, setProposed] = useState(randomLetters)
  /** Null for the proposed code, which follows the discount. */
  const [ownCode, setOwnCode] = useState<string | null>(null)
  const [limit, setLimit] = useState('')
  const [lastDay, setLastDay] = useState('')
  const [newCustomersOnly, setNewCustomersOnly] = useState(true)

  const percentOff = kind === 'percent' ? wholeNumber(value) : null
  const currency = planOf(publication, chosen[0] ?? '').currency ?? mainCurrency(publication)
  const amountOffCents = kind === 'amount' ? parseAmount(value, currency) : null
  const isValue = percentOff === null ? (amountOffCents ?? 0) > 0 : percentOff >= 1 && percentOff <= 100
  const monthCount = duration === 'repeating' ? wholeNumber(months) : null
  const isDuration = duration !== 'repeating' || (monthCount !== null && monthCount >= 1 && monthCount <= 36)
  const maxRedemptions = limit.trim() === '' ? null : wholeNumber(limit)
  const isLimit = limit.trim() === '' || (maxRedemptions !== null && maxRedemptions >= 1 && maxRedemptions <= 1_000_000)
  const proposal = `${percentOff !== null && isValue ? `SAVE${percentOff}` : 'OFFER'}-${proposed}`
  const code = ownCode ?? proposal
  const isCode = offerCodePattern.test(code.trim())
  const terms: OfferTerms | null =
    isValue && isDuration
      ? { percentOff, amountOffCents, currency: kind === 'amount' ? currency : null, duration, months: monthCount }
      : null
  const problem =
    terms &&
    problemOfOffer(
      terms,
      chosen.map((key) => planOf(publication, key)),
    )

  const amountName = currency === 'usd' ? 'Dollars' : currency.toUpperCase()

  const handleSubmit = submitHandler(create, () => {
    if (!terms || problem || !isLimit || !isCode || chosen.length === 0) return
    const { currency: _currency, ...discount } = terms
    create.mutate(
      {
        requestId,
        code,
        ...discount,
        plans: [...chosen],
        maxRedemptions,
        lastDay: lastDay || null,
        newCustomersOnly,
      },
      {
        onSuccess: onMade,
        onError: (error) => {
          if (error instanceof CallError && error.code === 'offer_code_taken') setRequestId(crypto.randomUUID())
        },
      },
    )
  })

  return (
    <form onSubmit={handleSubmit} aria-label="Create offer" className="grid max-w-3xl gap-7">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <SelectField
          label="Discount"
          value={kind}
          onChange={(event) => {
            setKind(event.target.value === 'amount' ? 'amount' : 'percent')
            setValue('')
          }}
        >
          <option value="percent">Percent off</option>
          <option value="amount">{amountName} off</option>
        </SelectField>
        <TextField
          label={kind === 'percent' ? 'Percent' : amountName}
          inputMode={kind === 'percent' ? 'numeric' : 'decimal'}
          autoComplete="off"
          required
          value={value}
          onChange={(event) => setValue(event.target.value)}
          error={
            value !== '' && !isValue
              ? kind === 'percent'
                ? 'Enter a whole number from 1 to 100'
                : 'Enter an amount, such as 5 or 2.50'
              : (problem ?? '')
          }
        />
        <SelectField
          label="Applies to"
          value={duration}
          onChange={(event) => setDuration(event.target.value as OfferTerms['duration'])}
          options={durations}
        />
        {duration === 'repeating' && (
          <TextField
            label="Months"
            inputMode="numeric"
            autoComplete="off"
            required
            value={months}
            onChange={(event) => setMonths(event.target.value)}
            hint="Counted from sign-up. A yearly plan pays for the whole year at once."
            error={months !== '' && !isDuration ? 'Enter a whole number from 1 to 36' : ''}
          />
        )}
      </div>
      <ChoiceGroup legend="Plans" columns error={chosen.length === 0 ? 'Choose at least one plan' : ''}>
        {plansOnSale(publication).map(({ key, name, ...price }) => (
          <Choice
            key={key}
            type="checkbox"
            label={name}
            description={pricePerInterval(price)}
            checked={chosen.includes(key)}
            onChange={(event) =>
              setChosen(event.target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))
            }
          />
        ))}
      </ChoiceGroup>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <div>
          <TextField
            label="Code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            required
            maxLength={40}
            className="font-mono uppercase"
            value={code}
            onChange={(event) => setOwnCode(event.target.value)}
            hint="3 to 40 letters, digits, and dashes. It can’t be used for another offer later."
            error={code !== '' && !isCode ? 'Use 3 to 40 letters, digits, and dashes' : ''}
          />
          <Button
            variant="secondary"
            size="sm"
            className="mt-2"
            onClick={() => {
              setOwnCode(null)
              setProposed(randomLetters())
            }}
          >
            Suggest a code
          </Button>
        </div>
        <TextField
          label="Number of uses"
          inputMode="numeric"
          autoComplete="off"
          value={limit}
          onChange={(event) => setLimit(event.target.value)}
          hint="Optional. Without a number, there’s no limit."
          error={isLimit ? '' : 'Enter a whole number'}
        />
        <TextField
          label="Last day"
          type="date"
          value={lastDay}
          onChange={(event) => setLastDay(event.target.value)}
          hint={`Optional. Ends at midnight, ${timeZone.replaceAll('_', ' ')} time.`}
        />
      </div>
      <Choice
        type="checkbox"
        label="New customers only"
        description="Stripe refuses it for anyone who has paid before."
        checked={newCustomersOnly}
        onChange={(event) => setNewCustomersOnly(event.target.checked)}
      />
      {terms && !problem && chosen.length > 0 && <Preview terms={terms} chosen={chosen} />}
      <FormActions action="Create offer" change={create} onCancel={onClose} />
    </form>
  )
}

/** The texts of the offer's page, without a free trial. */
function Preview({ terms, chosen }: { terms: OfferTerms; chosen: readonly PlanKey[] }) {
  return (
    <section aria-label="What visitors will read" className="border-l-3 border-accent bg-accent-soft px-4 py-3 sm:px-5">
      <h4 className="text-sm text-accent-ink">What visitors will read</h4>
      <p className="display mt-1 text-xl">{offerTitle(terms)}</p>
      <dl className="mt-2">
        {chosen.map((key) => (
          <div key={key} className="flex flex-wrap gap-x-2">
            <dt className="font-semibold">{planOf(publication, key).name}:</dt>
            <dd className="tabular-nums">
              {offerPriceText(planOf(publication, key), terms, { trialDays: 0, now: new Date() })}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
