import { useMutation, useQuery } from '@tanstack/react-query'
import { type ChangeEvent, type SubmitEvent, useState } from 'react'
import { untilPageLeft } from '#client/features/billing/subscriptions/checkout.api.ts'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { invoke } from '#client/lib/invoke.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { LoadError } from '#client/ui/load-error.tsx'
import { Skeleton } from '#client/ui/skeleton.tsx'
import { TextAreaField } from '#client/ui/text-area-field.tsx'
import { buyGiftCall, giftOfferCall, type NewGift } from '#shared/contracts/billing/gifts.ts'
import { formatWholeMoney } from '#shared/domain/format-money.ts'
import { claimDays, maxMessageLength } from '#shared/domain/gifts.ts'

/** Opens Stripe's page. Stays pending while the browser leaves. */
const useBuyGift = () =>
  useMutation({
    mutationFn: async (gift: NewGift) => {
      const { url } = await invoke(buyGiftCall, gift)
      window.location.assign(url)
      await untilPageLeft()
    },
  })

type Offer = { amountCents: number; currency: string; timeZone: string; today: string; lastDay: string }

/** Buys a year for someone else, without an account. */
export function GiftForm() {
  const query = useQuery(alwaysStaleQuery(['gift-offer'], giftOfferCall, {}))
  if (query.isError && !query.data) return <LoadError what="the gift’s price" query={query} />
  if (!query.data) return <Skeleton className="h-96" />
  const { offer } = query.data
  return offer ? (
    <OrderForm offer={offer} />
  ) : (
    <p role="status" className="text-lg">
      {publication.name} doesn’t sell gifts right now.
    </p>
  )
}

function OrderForm({ offer }: { offer: Offer }) {
  const { user } = useSession()
  const buy = useBuyGift()
  /** One per content of the form, so that a second click opens the same checkout. */
  const [requestId, setRequestId] = useState(() => crypto.randomUUID())
  const [values, setValues] = useState({
    recipientName: '',
    recipientEmail: '',
    deliverOn: offer.today,
    message: '',
    giverName: '',
    /** Null for the address of the account. */
    giverEmail: null as string | null,
  })
  const giverEmail = values.giverEmail ?? user?.email ?? ''
  const price = formatWholeMoney(offer.amountCents, offer.currency)
  const bind = (name: keyof typeof values) => ({
    name,
    value: values[name] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setValues({ ...values, [name]: event.target.value })
      setRequestId(crypto.randomUUID())
    },
  })
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!buy.isPending) buy.mutate({ requestId, ...values, giverEmail, amountCents: offer.amountCents })
  }
  return (
    <form onSubmit={handleSubmit} aria-label="Gift" className="grid gap-8">
      <p className="text-lg">
        One year of {publication.name} for {price}, paid once. It never renews, and the person you give it to is never
        charged.
      </p>
      <fieldset className="grid gap-5 sm:grid-cols-2 sm:items-start">
        <legend className="display mb-4 text-xl">Who is it for?</legend>
        <TextField label="Their name" required maxLength={80} autoComplete="off" {...bind('recipientName')} />
        <TextField
          label="Their email"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          {...bind('recipientEmail')}
        />
        <TextField
          label="Arrives on"
          type="date"
          required
          min={offer.today}
          max={offer.lastDay}
          hint={`Today: as soon as it’s paid. Any other day: at 8 AM, ${offer.timeZone.replaceAll('_', ' ')} time.`}
          {...bind('deliverOn')}
        />
        <TextAreaField
          label="Your message"
          hint="Optional. Plain text."
          fieldClassName="sm:col-span-2"
          {...bind('message')}
          rows={4}
          maxLength={maxMessageLength}
          className="py-2.5"
        />
      </fieldset>
      <fieldset className="grid gap-5 sm:grid-cols-2 sm:items-start">
        <legend className="display mb-4 text-xl">Who is it from?</legend>
        <TextField label="Your name" required maxLength={80} autoComplete="name" {...bind('giverName')} />
        <TextField
          label="Your email"
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          hint="For the receipt, with a link to see whether the gift was claimed."
          {...bind('giverEmail')}
          value={giverEmail}
        />
      </fieldset>
      <FormError>{buy.error ? errorMessage(buy.error) : null}</FormError>
      <div className="grid gap-3">
        <Button type="submit" block pending={buy.isPending}>
          Continue to payment: {price}
        </Button>
        <p className="text-sm text-muted">
          The gift can be claimed for {claimDays} days after it arrives, with an account under any address.
        </p>
      </div>
    </form>
  )
}
