import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { alwaysStaleQuery, CallError } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { RetirableList, RetirableRow } from '#client/ui/retirable-list.tsx'
import { RetireButton } from '#client/ui/retire-button.tsx'
import { Tag } from '#client/ui/tag.tsx'
import {
  adminNewsletterFiguresCall,
  adminOrderNewslettersCall,
  adminRetireNewsletterCall,
  adminSaveNewsletterCall,
  type NewsletterFigures,
  type StoredNewsletter,
} from '#shared/contracts/publishing/newsletters.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatCount, formatNumber } from '#shared/domain/format-count.ts'
import { newsletterLimits, newsletterStream } from '#shared/domain/newsletters.ts'

export function Component() {
  return (
    <>
      <PageHeading title="Newsletters" className="mb-8" />
      <NewsletterList />
    </>
  )
}

/** The publisher's newsletters in the order in which readers see them, with their readers and mailings. */
function NewsletterList() {
  const newsletters = useQuery(newslettersQuery)
  const figures = useQuery(newsletterFiguresQuery)
  const { role } = useStaffRole()
  const order = useChange(adminOrderNewslettersCall, {
    stores: newslettersQuery,
    failure: 'We couldn’t change the order',
  })
  if (!newsletters.data) return <QueryPlaceholder query={newsletters} what="the newsletters" lines={4} height="h-20" />
  const isOwner = role === 'owner'
  return (
    <RetirableList
      label="Newsletters"
      one="newsletter"
      title="Your newsletters"
      lede={ownWords`Besides weekly drops, product news and follow-ups, which come with every publication. Readers choose each one, and each has its own unsubscribe link.`}
      retiredLede="No longer sent or offered. Their subscribers and mailings stay."
      empty={
        <p className="mt-6 border-y border-line py-8 text-muted">
          No newsletters of your own yet.{' '}
          {isOwner ? 'Create one for a topic that not every reader wants.' : 'An owner can create one.'}
        </p>
      }
      items={newsletters.data.items}
      nameOf={({ name }) => name}
      canEdit={isOwner}
      order={{ isPending: order.isPending, mutate: (ids) => order.mutate({ ids }) }}
      form={(newsletter, onClose) => (
        <NewsletterForm
          key={newsletter?.version}
          newsletter={newsletter}
          figures={figures.data}
          onReload={() => void newsletters.refetch()}
          onClose={onClose}
        />
      )}
      row={(newsletter, buttons) => <NewsletterRow newsletter={newsletter} figures={figures.data} buttons={buttons} />}
      retire={(newsletter) => <RetireNewsletter newsletter={newsletter} />}
    />
  )
}

const figureLink = 'inline-flex min-h-11 items-center text-link sm:min-h-0'

type NewsletterRowProps = {
  newsletter: StoredNewsletter
  figures: NewsletterFigures | undefined
  buttons: ReactNode
}

function NewsletterRow({ newsletter, figures, buttons }: NewsletterRowProps) {
  const { id, name, description, membersOnly, subscribesNewMembers, senderName, senderAddress, retiredAt } = newsletter
  const found = figures?.items.find((each) => each.id === id)
  const sender = [senderName, senderAddress].filter(Boolean).join(', ')
  const stream = newsletterStream(id)
  return (
    <RetirableRow
      name={name}
      buttons={buttons}
      tags={
        <>
          {retiredAt && <Tag>Retired {formatDay(retiredAt)}</Tag>}
          <Tag>{membersOnly ? 'Members only' : 'Free'}</Tag>
        </>
      }
    >
      {description && <p className="mt-1">{description}</p>}
      <p className="text-sm text-muted">
        {subscribesNewMembers ? 'Everyone who joins gets it' : 'Readers choose it themselves'}
        {sender && ` · From ${sender}`}
      </p>
      {found && (
        <p className="mt-1 flex flex-wrap gap-x-4 text-sm tabular-nums">
          <Link to={`/admin/members?gets=${stream}`} className={figureLink}>
            {formatCount(found.subscribed, 'subscriber')}
          </Link>
          <Link to={`/admin/members?off=${stream}`} className={figureLink}>
            {formatNumber(found.unsubscribed)} unsubscribed
          </Link>
          <Link to={`/admin/newsletter?newsletter=${id}`} className={figureLink}>
            {found.lastSentAt
              ? `${formatCount(found.sent, 'mailing')}, last on ${formatDay(found.lastSentAt)}`
              : 'No mailings yet'}
          </Link>
        </p>
      )}
    </RetirableRow>
  )
}

function RetireNewsletter({ newsletter }: { newsletter: StoredNewsletter }) {
  const { id, version } = newsletter
  const retire = useChange(adminRetireNewsletterCall, {
    stores: newslettersQuery,
    failure: 'We couldn’t change the newsletter',
  })
  return (
    <RetireButton
      name={newsletter.name}
      isRetired={newsletter.retiredAt !== null}
      retire={{ isPending: retire.isPending, mutate: (retired) => retire.mutate({ id, version, retired }) }}
      action="Retire newsletter"
      restore="Put back in use"
    >
      Nothing more can be sent to it, and readers don’t see it anymore. Its subscribers and mailings stay, links in
      emails keep working, and you can put it back in use.
    </RetireButton>
  )
}

/** Someone else has saved the newsletter since it was loaded. */
const isConflict = (error: unknown) => error instanceof CallError && error.code === 'edit_conflict'

type NewsletterFormProps = {
  /** Null for a new one. */
  newsletter: StoredNewsletter | null
  /** Undefined until they are loaded. */
  figures: NewsletterFigures | undefined
  onReload: () => void
  onClose: () => void
}

/** Who is subscribed without having chosen the newsletter. */
type Given = 'none' | 'new' | 'everyone'

function NewsletterForm({ newsletter, figures, onReload, onClose }: NewsletterFormProps) {
  const save = useChange(adminSaveNewsletterCall, { stores: newslettersQuery })
  const [membersOnly, setMembersOnly] = useState(newsletter?.membersOnly ?? false)
  const [given, setGiven] = useState<Given>(newsletter?.subscribesNewMembers ? 'new' : 'none')
  const handleSubmit = submitHandler(save, (text) => {
    const { id, version } = newsletter ?? { id: null, version: 0 }
    save.mutate(
      {
        id,
        version,
        name: text('name'),
        description: text('description'),
        senderName: text('senderName'),
        senderAddress: text('senderAddress'),
        replyTo: text('replyTo'),
        membersOnly,
        subscribesNewMembers: given !== 'none',
        subscribesExisting: given === 'everyone',
      },
      { onSuccess: onClose },
    )
  })
  const everyone = figures ? `the ${formatNumber(figures.everyone)} you have now` : 'those you have now'
  const givenOptions: readonly { value: Given; label: string; description: string }[] = [
    { value: 'none', label: 'Nobody', description: 'Readers choose it on their email preferences page.' },
    { value: 'new', label: 'Members who join from now on', description: 'They can unsubscribe at any time.' },
    ...(newsletter
      ? []
      : ([
          {
            value: 'everyone',
            label: `Members who join, and ${everyone}`,
            description: ownWords`Except anyone who has unsubscribed from drops and product news.`,
          },
        ] as const)),
  ]
  return (
    <form
      onSubmit={handleSubmit}
      aria-label={newsletter ? `Edit ${newsletter.name}` : 'Create newsletter'}
      className="grid max-w-3xl gap-8"
    >
      <div className="grid gap-5">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={newsletterLimits.name}
          autoComplete="off"
          defaultValue={newsletter?.name}
          hint="Readers see it on their preferences page and in each email’s footer."
        />
        <TextField
          label="Description"
          name="description"
          maxLength={newsletterLimits.description}
          autoComplete="off"
          defaultValue={newsletter?.description}
          hint="What it’s about and how often it comes."
        />
      </div>
      <ChoiceGroup legend="Who can get it" columns>
        <Choice
          type="radio"
          name="for"
          label="Every reader"
          description="Anyone with an account and a confirmed address."
          checked={!membersOnly}
          onChange={() => setMembersOnly(false)}
        />
        <Choice
          type="radio"
          name="for"
          label="Members only"
          description="Readers with a plan, a seat or complimentary access."
          checked={membersOnly}
          onChange={() => setMembersOnly(true)}
        />
      </ChoiceGroup>
      <ChoiceGroup legend="Who gets it without choosing it">
        {givenOptions.map(({ value, label, description }) => (
          <Choice
            key={value}
            type="radio"
            name="given"
            label={label}
            description={description}
            checked={given === value}
            onChange={() => setGiven(value)}
          />
        ))}
      </ChoiceGroup>
      <fieldset>
        <legend className="display text-xl">Sender</legend>
        <p className="mt-1 text-muted">Leave empty to send it like your other email.</p>
        <div className="mt-4 grid items-start gap-5 sm:grid-cols-2">
          <TextField
            label="Sender’s name"
            name="senderName"
            maxLength={newsletterLimits.name}
            autoComplete="off"
            placeholder={figures?.sender.name}
            defaultValue={newsletter?.senderName}
          />
          <TextField
            label="Sender’s address"
            name="senderAddress"
            type="email"
            maxLength={254}
            autoComplete="off"
            placeholder={figures?.sender.address}
            defaultValue={newsletter?.senderAddress}
          />
          <TextField
            label="Replies go to"
            name="replyTo"
            type="email"
            maxLength={254}
            autoComplete="off"
            defaultValue={newsletter?.replyTo}
          />
        </div>
      </fieldset>
      <div className="grid gap-4">
        <FormActions action={newsletter ? 'Save newsletter' : 'Create newsletter'} change={save} onCancel={onClose}>
          {isConflict(save.error) && (
            <Button variant="secondary" onClick={onReload}>
              Show the newer version
            </Button>
          )}
        </FormActions>
      </div>
    </form>
  )
}

const newsletterFiguresQuery = alwaysStaleQuery(['admin-newsletter-figures'], adminNewsletterFiguresCall, {})
