import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { useChange, useInvalidate, useSensitiveMutation } from '#client/lib/changes.ts'
import { publication } from '#client/lib/publication.ts'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { SelectField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { SettingsForm } from '#client/ui/settings-form.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  adminGiftsCall,
  adminRefundGiftCall,
  adminSaveGiftSettingsCall,
  type GiftSettings,
  type GiftsPage,
  type ListedGift,
} from '#shared/contracts/billing/gifts.ts'
import { formatDay, formatMoney, formatWholeMoney } from '#shared/domain/format.ts'
import { claimDays, giftPriceCents } from '#shared/domain/gifts.ts'
import { plansOnSale } from '#shared/domain/plans.ts'

/** Gifts that readers bought, with the settings. Only owners see names and change anything. */
export function GiftList({ canEdit }: { canEdit: boolean }) {
  const gifts = useQuery(giftsQuery)
  if (!gifts.data) return <QueryPlaceholder query={gifts} what="the gifts" lines={4} height="h-24" />
  const { settings, version, link, totals, items } = gifts.data
  return (
    <>
      <Section
        title="Gifts from readers"
        status={settings.plan ? 'On sale' : 'Off'}
        lede="Anyone can buy a year for someone else. It’s paid once and never renews."
      >
        {settings.plan && (
          <p className="mb-6 flex flex-wrap items-center gap-x-3">
            Share this page: <CopyableText text={link} what="Link of the gift page" />
          </p>
        )}
        {canEdit && <GiftSettingsForm key={version} settings={settings} version={version} />}
      </Section>
      <Section title="Bought gifts">
        {items.length === 0 ? (
          <p className="text-muted">No gifts yet.</p>
        ) : (
          <>
            <Totals totals={totals} />
            <ul aria-label="Gifts" className="mt-6 border-t-2 border-ink">
              {items.map((gift) => (
                <GiftRow key={gift.id} gift={gift} canEdit={canEdit} />
              ))}
            </ul>
          </>
        )}
      </Section>
    </>
  )
}

const Totals = ({ totals }: Pick<GiftsPage, 'totals'>) =>
  totals.map(({ currency, sold, claimed, paidCents, refundedCents }) => (
    <dl key={currency} className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
      {[
        ['Sold', String(sold)],
        ['Claimed', String(claimed)],
        ['Paid', formatMoney(paidCents, currency)],
        ['Refunded', formatMoney(refundedCents, currency)],
      ].map(([label, value]) => (
        <div key={label}>
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  ))

const states: Record<ListedGift['state'], { label: string; tone: 'primary' | 'plain' | 'accent' }> = {
  unpaid: { label: 'Unpaid', tone: 'plain' },
  scheduled: { label: 'Scheduled', tone: 'accent' },
  sent: { label: 'Sent', tone: 'accent' },
  claimed: { label: 'Claimed', tone: 'primary' },
  refunding: { label: 'Being refunded', tone: 'plain' },
  refunded: { label: 'Refunded', tone: 'plain' },
  disputed: { label: 'Disputed', tone: 'accent' },
}

const reasons = {
  unclaimed: 'Not claimed in time',
  already_paying: 'The recipient already pays',
  staff: 'Refunded by staff',
  withdrawn: 'The giver withdrew',
} as const

function detailsOf(gift: ListedGift): string[] {
  const { state, deliverOn, claimedAt, claimUntil, outcome, refundReason, bounced } = gift
  return [
    state === 'scheduled' ? `Arrives on ${formatDay(deliverOn)}` : '',
    state === 'sent' && claimUntil ? `Can be claimed until ${formatDay(claimUntil)}` : '',
    claimedAt ? `Claimed on ${formatDay(claimedAt)}${outcome === 'credit' ? ' as credit' : ''}` : '',
    refundReason ? reasons[refundReason] : '',
    state === 'disputed' ? 'The gift has ended. Answer the dispute in Stripe' : '',
    bounced ? 'The email came back; the giver was told' : '',
  ].filter(Boolean)
}

function GiftRow({ gift, canEdit }: { gift: ListedGift; canEdit: boolean }) {
  const refund = useChange(adminRefundGiftCall, { done: 'Refund started', failure: 'We couldn’t refund the gift' })
  const { id, state, amountCents, refundedCents, currency, paidAt } = gift
  const money = formatMoney(amountCents, currency)
  const from = gift.giverName || gift.giverEmail || 'Deleted account'
  const to = gift.recipientName || gift.recipientEmail || 'Deleted account'
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 border-b border-line py-5">
      <div className="min-w-0 [overflow-wrap:anywhere]">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-semibold">
            {from} to {to}
          </span>
          <Tag tone={states[state].tone}>{states[state].label}</Tag>
        </p>
        {canEdit && (
          <p className="text-sm text-muted">
            {gift.giverEmail}
            {gift.recipientEmail && `, for ${gift.recipientEmail}`}
          </p>
        )}
        <p className="text-sm text-muted">
          {[paidAt ? `Paid on ${formatDay(paidAt)}` : '', ...detailsOf(gift)].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div className="flex items-center gap-4 tabular-nums">
        <p>
          <span className="font-semibold">{money}</span>
          {refundedCents > 0 && (
            <span className="block text-sm text-muted">{formatMoney(refundedCents, currency)} refunded</span>
          )}
        </p>
        {canEdit && state !== 'refunded' && state !== 'refunding' && state !== 'disputed' && (
          <ConfirmButton
            label="Refund"
            variant="secondary"
            size="sm"
            aria-label={`Refund the gift from ${from} to ${to}`}
            pending={refund.isPending}
            title={`Refund ${money}?`}
            action="Refund"
            onConfirm={() => refund.mutate({ id })}
          >
            {gift.claimedAt
              ? 'The giver gets the money back, and the access or credit that the gift gave ends immediately. We email both.'
              : 'The giver gets the money back, and the gift can’t be claimed anymore.'}
          </ConfirmButton>
        )}
      </div>
    </li>
  )
}

const useSaveGiftSettings = (version: number) =>
  useSensitiveMutation({
    mutationFn: (settings: GiftSettings) => invoke(adminSaveGiftSettingsCall, { settings, version }),
    done: 'Settings saved',
    onSuccess: useInvalidate(giftsQuery.queryKey),
  })

type GiftSettingsFormProps = { settings: GiftSettings; version: number }

/** Sets the price of gifts, and whether unusable ones are refunded or extended. */
function GiftSettingsForm({ settings, version }: GiftSettingsFormProps) {
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
        options={plansOnSale(publication).map((plan) => [
          plan.key,
          `${formatWholeMoney(giftPriceCents(plan), plan.currency)}, as a year of ${plan.name}`,
        ])}
      >
        <option value="">Don’t sell gifts</option>
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

const giftsQuery = alwaysStaleQuery(['admin-gifts'], adminGiftsCall, {})
