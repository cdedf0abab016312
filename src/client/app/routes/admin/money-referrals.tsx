import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { alwaysStaleQuery, invoke } from '#client/lib/calls.ts'
import { useInvalidate, useSensitiveMutation } from '#client/lib/changes.ts'
import { Choice } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { SettingsForm } from '#client/ui/settings-form.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  adminReferralsCall,
  adminSaveReferralSettingsCall,
  type ListedReferral,
  type ReferralSettings,
} from '#shared/contracts/billing/referrals.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Referrals" />
      <div className="mt-8">
        <ReferralList canEdit={role === 'owner'} />
      </div>
    </>
  )
}

const referralsQuery = alwaysStaleQuery(['admin-referrals'], adminReferralsCall, {})

const useSaveReferralSettings = (version: number) =>
  useSensitiveMutation({
    mutationFn: (settings: ReferralSettings) => invoke(adminSaveReferralSettingsCall, { settings, version }),
    done: 'Settings saved',
    onSuccess: useInvalidate(referralsQuery.queryKey),
  })

const moneyText = (sums: readonly { cents: number; currency: string }[]) =>
  sums.map(({ cents, currency }) => formatMoney(cents, currency)).join(', ') || 'none'

/** New members who came through a member's link, with the settings and the cost. Only owners see addresses and change anything. */
function ReferralList({ canEdit }: { canEdit: boolean }) {
  const referrals = useQuery(referralsQuery)
  if (!referrals.data) return <QueryPlaceholder query={referrals} what="the referrals" lines={4} height="h-24" />
  const { settings, version, counts, costs, items } = referrals.data
  const figures = [
    ['Free months given', String(counts.rewarded)],
    ['Waiting for a payment', String(counts.pending)],
    ['Refused', String(counts.refused)],
    ['Cost', moneyText(costs)],
  ]
  return (
    <>
      <Section
        title="Members bring members"
        status={settings.enabled ? 'On' : 'Off'}
        lede="Each paying member has a link. After a new member’s first payment, both get a free month as credit at Stripe. A refund or dispute of that payment takes back what’s left of it."
      >
        {canEdit && <ReferralSettingsForm key={version} settings={settings} version={version} />}
      </Section>
      <Section title="Referrals">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-4">
          {figures.map(([label, value]) => (
            <div key={label}>
              <dt className="text-sm text-muted">{label}</dt>
              <dd className="font-semibold tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        {items.length > 0 && (
          <ul aria-label="Referrals" className="mt-6 border-t-2 border-ink">
            {items.map((item) => (
              <Row key={item.id} item={item} />
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function ReferralSettingsForm({ settings, version }: { settings: ReferralSettings; version: number }) {
  const save = useSaveReferralSettings(version)
  const [enabled, setEnabled] = useState(settings.enabled)
  const [limit, setLimit] = useState(String(settings.maxPerYear))
  const [renewalMonth, setRenewalMonth] = useState(settings.renewalMonth)
  const maxPerYear = /^\d{1,3}$/.test(limit.trim()) ? Number(limit) : 0
  const isLimit = maxPerYear >= 1 && maxPerYear <= 100
  return (
    <SettingsForm
      label="Referral settings"
      values={isLimit ? { enabled, maxPerYear, renewalMonth } : null}
      save={save}
      className="max-w-xl"
    >
      <Choice
        type="checkbox"
        label="Free months for invitations"
        description="Turned off, links stop working. People who accepted one before still get their month."
        checked={enabled}
        onChange={(event) => setEnabled(event.target.checked)}
      />
      <TextField
        label="Free months per member and year"
        inputMode="numeric"
        autoComplete="off"
        required
        value={limit}
        onChange={(event) => setLimit(event.target.value)}
        error={isLimit ? '' : 'Enter a whole number from 1 to 100'}
      />
      <Choice
        type="checkbox"
        label="A free month before a renewal that didn’t pay off"
        description="If a yearly member’s receipt is below the price, the renewal email says so and offers one month as credit, once per renewal."
        checked={renewalMonth}
        onChange={(event) => setRenewalMonth(event.target.checked)}
      />
    </SettingsForm>
  )
}

const states: Record<ListedReferral['state'], { label: string; tone: 'primary' | 'plain' | 'accent' }> = {
  pending: { label: 'Not paid yet', tone: 'accent' },
  rewarded: { label: 'Free month given', tone: 'primary' },
  refused: { label: 'Refused', tone: 'plain' },
  withdrawn: { label: 'Taken back', tone: 'plain' },
}

const reasons: Record<NonNullable<ListedReferral['reason']>, string> = {
  not_new: 'Paid before accepting',
  same_person: 'Same mailbox as a member before',
  same_card: 'Same card as a member before',
  same_device: 'Same browser and network as the member',
  refunded: 'First payment refunded',
  disputed: 'First payment disputed',
}

function Row({ item: { state, reason, referrer, referee, createdAt, costs } }: { item: ListedReferral }) {
  const details = [
    `Accepted on ${formatDay(createdAt)}`,
    reason ? reasons[reason] : '',
    costs.length > 0 ? `Cost ${moneyText(costs)}` : '',
  ]
  return (
    <li className="border-b border-line py-4 [overflow-wrap:anywhere]">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-semibold">
          {referrer || 'Deleted account'} brought {referee || 'a deleted account'}
        </span>
        <Tag tone={states[state].tone}>{states[state].label}</Tag>
      </p>
      <p className="text-sm text-muted">{details.filter(Boolean).join(' · ')}</p>
    </li>
  )
}
