import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { Button } from '#client/ui/button.tsx'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { LoadError, QueryPlaceholder, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  type AdminGiftLink,
  adminCreateGiftLinkCall,
  adminGiftLinksCall,
  adminGiftLinkUsesCall,
  adminRetireGiftLinkCall,
  maxGiftLinkMonths,
  maxGiftLinkUses,
} from '#shared/contracts/billing/gift-links.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatNumber } from '#shared/domain/format-count.ts'

/** Links with which the publisher gives access. Only owners see the links and who used them. */
export function GiftLinkList({ canEdit }: { canEdit: boolean }) {
  const links = useQuery(alwaysStaleQuery(['admin-gift-links'], adminGiftLinksCall, {}))
  const [isAdding, setIsAdding] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  if (!links.data) return <QueryPlaceholder query={links} what="the gift links" lines={3} height="h-24" />
  const { items, timeZone } = links.data
  return (
    <Section
      title="Gift links from you"
      lede="A link gives months of full access to a number of people, without a card. When the months are over, access ends and no one is charged."
    >
      {canEdit && !isAdding && (
        <Button
          variant="secondary"
          onClick={() => {
            setMade(null)
            setIsAdding(true)
          }}
        >
          Create gift link
        </Button>
      )}
      {isAdding && (
        <GiftLinkForm
          timeZone={timeZone}
          onClose={() => setIsAdding(false)}
          onMade={(link) => {
            setIsAdding(false)
            setMade(link)
          }}
        />
      )}
      {made && (
        <div role="status" className="mt-6 rounded-md border border-line bg-sunken p-4">
          <p className="font-semibold">The link is ready. Share it:</p>
          <CopyableText text={made} what="New gift link" />
        </div>
      )}
      {items.length > 0 && (
        <ul aria-label="Gift links" className="mt-8 border-t-2 border-ink">
          {items.map((link) => (
            <GiftLinkRow key={link.id} link={link} canEdit={canEdit} />
          ))}
        </ul>
      )}
    </Section>
  )
}

const states: Record<AdminGiftLink['state'], { label: string; tone: 'primary' | 'plain' | 'accent' }> = {
  open: { label: 'Open', tone: 'primary' },
  used_up: { label: 'All claimed', tone: 'accent' },
  ended: { label: 'Ended', tone: 'plain' },
  retired: { label: 'Retired', tone: 'plain' },
}

function GiftLinkRow({ link: given, canEdit }: { link: AdminGiftLink; canEdit: boolean }) {
  const { id, note, link, state, months, uses, maxUses, lastDay } = given
  const retire = useChange(adminRetireGiftLinkCall, { done: 'Link retired', failure: 'We couldn’t retire the link' })
  const [showsUses, setShowsUses] = useState(false)
  return (
    <li className="grid gap-3 border-b border-line py-5">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <div className="min-w-0 [overflow-wrap:anywhere]">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <span className="font-semibold">{note}</span>
            <Tag tone={states[state].tone}>{states[state].label}</Tag>
          </p>
          <p className="text-sm text-muted">
            {months === 1 ? '1 month' : `${months} months`} · {formatNumber(uses)} of {formatNumber(maxUses)} claimed
            {state !== 'retired' && ` · ${state === 'ended' ? 'Ended' : 'Ends'} on ${formatDay(lastDay)}`}
          </p>
          {link && state === 'open' && <CopyableText text={link} what={`Gift link for ${note}`} />}
        </div>
        {canEdit && (
          <div className="flex flex-wrap gap-3">
            {uses > 0 && (
              <Button
                variant="secondary"
                size="sm"
                aria-label={`${showsUses ? 'Hide people' : 'Show people'} who used the link for ${note}`}
                aria-expanded={showsUses}
                onClick={() => setShowsUses(!showsUses)}
              >
                {showsUses ? 'Hide people' : 'Show people'}
              </Button>
            )}
            {(state === 'open' || state === 'used_up') && (
              <ConfirmButton
                label="Retire"
                variant="secondary"
                size="sm"
                aria-label={`Retire the link for ${note}`}
                pending={retire.isPending}
                title="Retire this link?"
                action="Retire link"
                onConfirm={() => retire.mutate({ id })}
              >
                No one can use it anymore. People who used it keep their access until it ends.
              </ConfirmButton>
            )}
          </div>
        )}
      </div>
      {showsUses && <Uses id={id} note={note} />}
    </li>
  )
}

function Uses({ id, note }: { id: string; note: string }) {
  const uses = useQuery(alwaysStaleQuery(['admin-gift-link-uses', id], adminGiftLinkUsesCall, { id }))
  if (uses.isError && !uses.data) return <LoadError what="the people" query={uses} />
  if (!uses.data) return <SkeletonText lines={2} />
  return (
    <ul aria-label={`People who used the link for ${note}`} className="grid gap-1 text-sm wrap-anywhere">
      {uses.data.items.map(({ userId, email, usedAt, accessUntil }) => (
        <li key={userId ?? usedAt}>
          {userId ? (
            <Link to={`/admin/members/${userId}`} className="font-semibold underline underline-offset-4">
              {email ?? 'No email'}
            </Link>
          ) : (
            'Deleted account'
          )}
          <span className="text-muted">
            {' '}
            · claimed on {formatDay(usedAt)} · access until {formatDay(accessUntil)}
          </span>
        </li>
      ))}
    </ul>
  )
}

type GiftLinkFormProps = {
  /** The time zone in which the last day ends. */
  timeZone: string
  onMade: (link: string) => void
  onClose: () => void
}

const wholeNumber = (text: string, max: number) =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max ? Number(text) : null

function GiftLinkForm({ timeZone, onMade, onClose }: GiftLinkFormProps) {
  const create = useChange(adminCreateGiftLinkCall)
  /** One per form, so that a second click creates one link. */
  const [requestId] = useState(() => crypto.randomUUID())
  const [note, setNote] = useState('')
  const [monthsText, setMonthsText] = useState('3')
  const [usesText, setUsesText] = useState('20')
  const [lastDay, setLastDay] = useState('')
  const months = wholeNumber(monthsText, maxGiftLinkMonths)
  const maxUses = wholeNumber(usesText, maxGiftLinkUses)
  const handleSubmit = submitHandler(create, () => {
    if (months === null || maxUses === null) return
    create.mutate({ requestId, note, months, maxUses, lastDay }, { onSuccess: ({ link }) => onMade(link) })
  })
  return (
    <form onSubmit={handleSubmit} aria-label="Create gift link" className="grid max-w-3xl gap-7">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Note"
          autoComplete="off"
          required
          maxLength={100}
          className="sm:col-span-2"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          hint="Who the link is for. Only staff see it."
        />
        <TextField
          label="Months of access"
          inputMode="numeric"
          autoComplete="off"
          required
          value={monthsText}
          onChange={(event) => setMonthsText(event.target.value)}
          hint="12 for a year."
          error={monthsText !== '' && months === null ? `Enter a whole number from 1 to ${maxGiftLinkMonths}` : ''}
        />
        <TextField
          label="Number of people"
          inputMode="numeric"
          autoComplete="off"
          required
          value={usesText}
          onChange={(event) => setUsesText(event.target.value)}
          hint="Each person can use the link once."
          error={usesText !== '' && maxUses === null ? 'Enter a whole number from 1 to 100,000' : ''}
        />
        <TextField
          label="Last day"
          type="date"
          required
          value={lastDay}
          onChange={(event) => setLastDay(event.target.value)}
          hint={`Ends at midnight, ${timeZone.replaceAll('_', ' ')} time.`}
        />
      </div>
      <FormActions action="Create gift link" change={create} onCancel={onClose} />
    </form>
  )
}
