import { useMutation, useQuery } from '@tanstack/react-query'
import { ConciergeBell } from 'lucide-react'
import { type ChangeEvent, useState } from 'react'
import { untilPageLeft } from '#client/features/billing/subscriptions/checkout.api.ts'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { submitHandler } from '#client/lib/changes.ts'
import { errorMessage } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { Button, ButtonAnchor, ButtonLink } from '#client/ui/button.tsx'
import { FormError, TextAreaField, TextField } from '#client/ui/form.tsx'
import { LoadError, Skeleton } from '#client/ui/loading.tsx'
import { buyGiftCall, giftOfferCall, type NewGift } from '#shared/contracts/billing/gifts.ts'
import { formatWholeMoney } from '#shared/domain/format.ts'
import { claimDays, maxMessageLength } from '#shared/domain/gifts.ts'
import { findTab, type Tab } from '#shared/domain/tabs.ts'

/** Opens Stripe's page. Stays pending while the browser leaves. */
const useBuyGift = () =>
  useMutation({
    mutationFn: async (gift: NewGift) => {
      const { url } = await invoke(buyGiftCall, gift)
      window.location.assign(url)
      await untilPageLeft()
    },
  })

type Offer = { tax: string; amountCents: number; currency: string; timeZone: string; today: string; lastDay: string }

/** Buys a year for someone else, without an account. */
export function GiftForm() {
  const query = useQuery(alwaysStaleQuery(['gift-offer'], giftOfferCall, {}))
  if (query.isError && !query.data) return <LoadError what="the gift’s price" query={query} />
  if (!query.data) return <Skeleton className="h-96" />
  const { offer } = query.data
  return (
    <div className="grid gap-x-16 gap-y-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
      {offer ? <OrderForm offer={offer} /> : <NotForSale />}
      <Included />
    </div>
  )
}

/** Shown if gifts are off, or if the plan that sets their price isn’t sold anymore. */
const NotForSale = () => (
  <div className="lg:row-span-2">
    <p role="status" className="display max-w-[28ch] text-2xl">
      {publication.name} doesn’t sell gifts right now.
    </p>
    <p className="mt-4 measure text-lg text-muted">
      You can still pass it on. The drops page shows what is open to everyone, and the free edition needs only an email
      address.
    </p>
    <div className="mt-8 flex flex-wrap gap-3">
      <ButtonAnchor href="/drops">Find a drop to pass on</ButtonAnchor>
      <ButtonAnchor href="/free" variant="secondary">
        Get the free edition
      </ButtonAnchor>
      <ButtonLink to="/#pricing" variant="quiet">
        See the plans
      </ButtonLink>
    </div>
  </div>
)

/** What a year opens, in the publisher’s words. */
const Included = () => (
  <section aria-labelledby="included" className="border-t-2 border-ink pt-4">
    <h2 id="included" className="display text-xl">
      What a year includes
    </h2>
    <ul className="mt-3 divide-y divide-line">
      {Object.entries(publication.tabLedes).map(([tab, lede]) => {
        const link = findTab(publication, tab as Tab)
        return (
          link && (
            <li key={tab} className="py-3">
              <p className="font-semibold">{link.label}</p>
              <p className="text-sm text-muted">{lede}</p>
            </li>
          )
        )
      })}
    </ul>
  </section>
)

type CardProps = { from: string; to: string; price: string }

/** What the recipient gets, with the names as they are typed. */
const GiftCard = ({ from, to, price }: CardProps) => (
  <figure
    aria-label="The gift"
    className="rounded-lg border-t-8 border-accent bg-primary-soft p-6 wrap-anywhere lg:col-start-2 lg:row-start-1"
  >
    <p className="flex items-center gap-2">
      <ConciergeBell aria-hidden className="size-5 shrink-0 text-primary" strokeWidth={1.75} />
      {publication.name}
    </p>
    <p className="display mt-6 text-3xl">One year for {to || 'someone you know'}</p>
    <p className="mt-6 flex flex-wrap items-baseline justify-between gap-x-4">
      <span>{from ? `From ${from}` : publication.tagline}</span>
      <span className="display text-xl tabular-nums">{price}</span>
    </p>
  </figure>
)

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
  const handleSubmit = submitHandler(buy, () =>
    buy.mutate({ requestId, ...values, giverEmail, amountCents: offer.amountCents }),
  )
  return (
    <>
      <GiftCard from={values.giverName} to={values.recipientName} price={price} />
      <form onSubmit={handleSubmit} aria-label="Gift" className="grid gap-8 lg:row-span-2 lg:row-start-1">
        <div>
          <p className="text-lg">
            One year of {publication.name} for {price + offer.tax}, paid once. It never renews, and the person you give
            it to is never charged.
          </p>
          <ol className="mt-5 grid gap-x-8 gap-y-3 border-y border-line py-5 sm:grid-cols-3">
            {steps.map((step, index) => (
              <li key={step} className="flex gap-3 text-sm">
                <span aria-hidden className="display text-xl text-accent-ink">
                  {index + 1}
                </span>
                {step}
              </li>
            ))}
          </ol>
        </div>
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
            Next, you pay by card. The receipt has a link where you can change the day or the address.
          </p>
        </div>
      </form>
    </>
  )
}

const steps = [
  'You choose the day and write a few words.',
  `On that day they get it by email, and claim it within ${claimDays} days.`,
  'After a year it ends by itself. Nobody is charged.',
]
