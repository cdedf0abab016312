import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { OfferForm } from '#client/features/billing/offers/offer-form.tsx'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { adminEndOfferCall, adminOffersCall, type Offer } from '#shared/contracts/billing/offers.ts'
import { formatDay, formatList, formatMoney } from '#shared/domain/format.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { offerTitle } from '#shared/domain/offer-terms.ts'
import { mainCurrency, planOf } from '#shared/domain/plans.ts'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Offers" />
      <div className="mt-8">
        <OfferList canEdit={role === 'owner'} />
      </div>
    </>
  )
}

/** Offers, newest first, with what each brought. Only owners see codes and change offers. */
function OfferList({ canEdit }: { canEdit: boolean }) {
  const offers = useQuery(alwaysStaleQuery(['admin-offers'], adminOffersCall, {}))
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<{ code: string; link: string } | null>(null)
  if (!offers.data) return <QueryPlaceholder query={offers} what="the offers" lines={4} height="h-24" />
  const { items, timeZone } = offers.data
  return (
    <Section
      title="Discounts for new plans"
      lede="Share an offer’s link, or its code for Stripe’s checkout page. The figures come from the same payments as the revenue page."
    >
      {canEdit && !isAdding && (
        <Button
          onClick={() => {
            setMade(null)
            setIsAdding(true)
          }}
        >
          Create offer
        </Button>
      )}
      {isAdding && (
        <OfferForm
          timeZone={timeZone}
          onClose={() => setIsAdding(false)}
          onMade={(offer) => {
            setIsAdding(false)
            setMade(offer)
          }}
        />
      )}
      {made && (
        <div role="status" className="mt-6 rounded-md border border-line bg-sunken p-4">
          <p className="font-semibold">{made.code} is ready. Share its link:</p>
          <CopyableText text={made.link} what={`Link of ${made.code}`} />
        </div>
      )}
      {items.length === 0 && !isAdding && (
        <p className="mt-6 text-muted">No offers yet. An offer’s redemptions and revenue will appear here.</p>
      )}
      {items.length > 0 && (
        <ul aria-label="Offers" className="mt-8 border-t-2 border-ink">
          {items.map((offer) => (
            <OfferRow key={offer.id} offer={offer} canEdit={canEdit} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const states: Record<Offer['state'], { label: string; tone: 'primary' | 'plain' | 'accent' }> = {
  running: { label: 'Running', tone: 'primary' },
  used_up: { label: 'Used up', tone: 'accent' },
  ended: { label: 'Ended', tone: 'plain' },
  unfinished: { label: 'Being created', tone: 'accent' },
}

type OfferRowProps = { offer: Offer; canEdit: boolean }
type Total = Offer['totals'][number]

function OfferRow({ offer, canEdit }: OfferRowProps) {
  const { id, code, link, state, redeemed, maxRedemptions, customers } = offer
  const end = useChange(adminEndOfferCall, { done: 'Offer ended', failure: 'We couldn’t end the offer' })
  /** One amount for each currency. */
  const money = (centsOf: (total: Total) => number) =>
    offer.totals.length > 0
      ? formatList(offer.totals.map((total) => formatMoney(centsOf(total), total.currency)))
      : formatMoney(0, offer.currency ?? mainCurrency(publication))
  const title = offerTitle(offer)
  const figures = [
    { label: 'Redeemed', value: formatNumber(redeemed), note: maxRedemptions && `of ${formatNumber(maxRedemptions)}` },
    { label: 'Customers', value: formatNumber(customers) },
    {
      label: 'Revenue',
      value: money(({ paidCents, refundedCents }) => paidCents - refundedCents),
      note:
        offer.totals.some(({ refundedCents }) => refundedCents > 0) &&
        `${money(({ refundedCents }) => refundedCents)} refunded`,
    },
    { label: 'Discount given', value: money(({ discountCents }) => discountCents) },
  ]
  const isOpen = state === 'running' || state === 'used_up' || state === 'unfinished'
  return (
    <li className="grid gap-x-10 gap-y-4 border-b border-line py-5 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          {code && <code className="font-mono font-semibold [overflow-wrap:anywhere]">{code}</code>}
          <Tag tone={states[state].tone}>{states[state].label}</Tag>
        </p>
        <p className="mt-1">{title}</p>
        <p className="text-sm text-muted">{detailsOf(offer).join('\u00a0· ')}</p>
        {state === 'unfinished' && (
          <p className="text-sm text-muted">Stripe didn’t answer. We try again within the hour.</p>
        )}
      </div>
      <div>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
          {figures.map(({ label, value, note }) => (
            <div key={label}>
              <dt className="text-sm text-muted">{label}</dt>
              <dd className="tabular-nums">
                <span className="font-semibold">{value}</span>
                {note && <span className="block text-sm text-muted">{note}</span>}
              </dd>
            </div>
          ))}
        </dl>
        {(link || canEdit) && isOpen && (
          <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-1">
            {link && state === 'running' && <CopyableText text={link} what={`Link of ${code}`} />}
            {canEdit && (
              <ConfirmButton
                label="End offer"
                variant="secondary"
                size="sm"
                aria-label={`End offer ${code}`}
                pending={end.isPending}
                title={`End ${code}?`}
                action="End offer"
                onConfirm={() => end.mutate({ id })}
              >
                New visitors will see regular prices. Customers who redeemed it keep their discount. You can’t start the
                offer again.
              </ConfirmButton>
            )}
          </div>
        )}
      </div>
    </li>
  )
}

function detailsOf(offer: Offer): string[] {
  const { state, endedAt, endedHere, lastDay } = offer
  return [
    formatList(offer.plans.map((plan) => planOf(publication, plan).name)),
    ...(offer.newCustomersOnly ? ['New customers only'] : []),
    ...(endedAt
      ? [`Ended ${endedHere ? '' : 'in Stripe '}${formatDay(endedAt)}`]
      : lastDay
        ? [`${state === 'ended' ? 'Ended' : 'Ends'} ${formatDay(lastDay)}`]
        : []),
  ]
}
