import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LinkError } from '#client/features/identity/auth/link-page-parts.tsx'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { changeGiftCall, type GiftStatus, giftStatusCall } from '#shared/contracts/billing/gifts.ts'
import { formatDay, formatMoney } from '#shared/domain/format.ts'

const giftStatusQuery = (token: string) =>
  alwaysStaleQuery(
    ['gift-status', token],
    giftStatusCall,
    { token },
    {
      // Stripe's confirmation can follow the giver's return by seconds.
      refetchInterval: ({ state }) => (state.data?.state === 'unpaid' ? 3000 : false),
    },
  )

/** A bought gift, for the person with the receipt's link. Also the return from checkout. */
export function GiftStatusPage({ token }: { token: string }) {
  const query = useQuery(giftStatusQuery(token))
  const [isChanging, setIsChanging] = useState(false)
  if (!query.data) return query.error ? <LinkError query={query} /> : <Skeleton className="h-64" />
  const gift = query.data
  return (
    <div className="grid gap-6 wrap-anywhere">
      <p role="status" className="text-lg">
        {statusText(gift)}
      </p>
      {gift.bounced && (
        <p role="alert" className="border-l-3 border-danger pl-4">
          Our email to {gift.recipientEmail} came back. Correct the address, and we send the gift again.
        </p>
      )}
      <PropertyList>
        <Property name="For">
          {gift.recipientName}
          {gift.recipientEmail && `, ${gift.recipientEmail}`}
        </Property>
        <Property name={gift.sentAt ? 'Sent on' : 'Arrives on'}>{formatDay(gift.sentAt ?? gift.deliverOn)}</Property>
        <Property name={gift.state === 'unpaid' ? 'Price' : 'Paid'}>
          {formatMoney(gift.amountCents, gift.currency)}
        </Property>
        {gift.refundedCents > 0 && (
          <Property name="Refunded">{formatMoney(gift.refundedCents, gift.currency)}</Property>
        )}
        {gift.message && <Property name="Your message">{gift.message}</Property>}
      </PropertyList>
      {gift.canChange && !isChanging && (
        <Button variant="secondary" onClick={() => setIsChanging(true)}>
          {gift.state === 'scheduled' ? 'Change address or day' : 'Correct the address'}
        </Button>
      )}
      {gift.canChange && isChanging && <ChangeForm gift={gift} token={token} onClose={() => setIsChanging(false)} />}
    </div>
  )
}

function statusText({ state, recipientName: name, claimUntil, claimedAt }: GiftStatus): string {
  const last = claimUntil ? formatDay(claimUntil) : ''
  return {
    unpaid: 'This gift hasn’t been paid yet. If you’ve just paid, this page updates in a moment.',
    scheduled: `Thank you. ${name} gets the gift by email on its day. We’ve emailed you a receipt.`,
    sent: `The gift is with ${name}, who can claim it until ${last}.`,
    claimed: `${name || 'The recipient'} claimed the gift${claimedAt ? ` on ${formatDay(claimedAt)}` : ''}.`,
    refunding: 'This gift is being refunded. The money goes back to your card.',
    refunded: 'This gift was refunded. Banks take five to ten days to show it.',
    disputed:
      'This gift has ended, because its payment was disputed at the bank. It continues if the dispute is settled in our favor.',
  }[state]
}

function ChangeForm({ gift, token, onClose }: { gift: GiftStatus; token: string; onClose: () => void }) {
  const change = useChange(changeGiftCall)
  const [recipientEmail, setRecipientEmail] = useState(gift.recipientEmail)
  const [deliverOn, setDeliverOn] = useState(gift.deliverOn)
  const handleSubmit = submitHandler(change, () =>
    change.mutate({ token, recipientEmail, deliverOn }, { onSuccess: onClose }),
  )
  return (
    <form onSubmit={handleSubmit} aria-label="Change the gift" className="grid gap-5">
      <TextField
        label="Their email"
        type="email"
        required
        maxLength={254}
        value={recipientEmail}
        onChange={(event) => setRecipientEmail(event.target.value)}
        hint={gift.state === 'sent' ? 'We send the gift there at once. The earlier link stops working.' : undefined}
      />
      {gift.state === 'scheduled' && (
        <TextField
          label="Arrives on"
          type="date"
          required
          min={gift.today}
          max={gift.lastDay}
          value={deliverOn}
          onChange={(event) => setDeliverOn(event.target.value)}
        />
      )}
      <FormActions action="Save" change={change} onCancel={onClose} />
    </form>
  )
}
