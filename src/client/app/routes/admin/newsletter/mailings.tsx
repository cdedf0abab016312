import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { kindLabels, statusLabels, statusTones } from '#client/features/publishing/mailings/mailing-labels.ts'
import { mailingsQuery } from '#client/features/publishing/mailings/mailings.api.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError, SelectField } from '#client/ui/form.tsx'
import { LoadMore } from '#client/ui/infinite-list.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { MailingSummary } from '#shared/contracts/publishing/mailings.ts'
import { adminCreateMailingCall } from '#shared/contracts/publishing/mailings.ts'
import { formatDay } from '#shared/domain/format.ts'
import { formatNumber } from '#shared/domain/format-count.ts'

export function Component() {
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const asked = query.get('newsletter') ?? ''
  return (
    <>
      <PageHeading title="Newsletter" />
      <MailingList
        newsletterId={/^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : null}
        onNewsletter={(id) => setQuery(id === null ? {} : { newsletter: String(id) }, { replace: true })}
        onCreated={(id) => navigate(`/admin/newsletter/${id}`)}
      />
    </>
  )
}

type MailingListProps = {
  /** The newsletter whose mailings are listed; all if missing. */
  newsletterId: number | null
  onNewsletter: (newsletterId: number | null) => void
  onCreated: (id: string) => void
}

/** Unsent issues and all mailings, newest first. */
function MailingList({ newsletterId, onNewsletter, onCreated }: MailingListProps) {
  const list = useInfiniteQuery(mailingsQuery(newsletterId))
  const newsletters = useQuery(newslettersQuery).data?.items ?? []
  if (!list.data) return <QueryPlaceholder query={list} what="the mailings" lines={9} height="h-14" />
  const mailings = list.data.pages.flatMap((page) => page.items)
  return (
    <>
      <NewMailing unsent={list.data.pages[0]?.unsentIssues ?? []} onCreated={onCreated} />
      <section aria-labelledby="mailings" className="mt-12">
        <h2 id="mailings" className="display border-b-2 border-ink pb-3 text-2xl">
          Mailings
        </h2>
        {newsletters.length > 0 && (
          <SelectField
            label="Newsletter"
            fieldClassName="mt-4 mb-2 max-w-xs"
            value={newsletterId ?? ''}
            onChange={({ target }) => onNewsletter(target.value ? Number(target.value) : null)}
            options={newsletters.map(({ id, name }) => [id, name])}
          >
            <option value="">All mailings</option>
          </SelectField>
        )}
        {mailings.length === 0 && newsletterId !== null ? (
          <p className="border-b border-line py-8 text-muted">No mailings to this newsletter yet.</p>
        ) : mailings.length === 0 ? (
          <p className="border-b border-line py-8 text-muted">{ownWords`No mailings yet. Choose a drop above to get started. Nothing is sent until you confirm.`}</p>
        ) : (
          <ul>
            {mailings.map((mailing) => (
              <MailingRow
                key={mailing.id}
                mailing={mailing}
                newsletter={newsletters.find(({ id }) => id === mailing.newsletterId)?.name}
              />
            ))}
          </ul>
        )}
        <LoadMore query={list} className="mt-6" />
      </section>
    </>
  )
}

function MailingRow({ mailing, newsletter }: { mailing: MailingSummary; newsletter: string | undefined }) {
  return (
    <li className="grid gap-x-8 gap-y-1 border-b border-line py-4 md:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
      <div className="min-w-0">
        <Link
          to={`/admin/newsletter/${mailing.id}`}
          className="display inline-flex min-h-11 items-center rounded-sm text-lg [overflow-wrap:anywhere] hover:text-primary hover:underline hover:underline-offset-4 sm:min-h-0"
        >
          {mailing.subject || 'No subject yet'}
        </Link>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          {mailing.sendFailure ? (
            <Tag tone="danger">Not sent</Tag>
          ) : (
            <Tag tone={statusTones[mailing.status]}>{statusLabels[mailing.status]}</Tag>
          )}
          {newsletter ?? kindLabels[mailing.kind]}
        </p>
      </div>
      <p className="text-sm text-muted tabular-nums md:text-right">
        <MailingStatusText mailing={mailing} />
      </p>
    </li>
  )
}

function MailingStatusText({
  mailing: { status, progress, scheduledAt, finishedAt, createdAt },
}: {
  mailing: MailingSummary
}) {
  if (status === 'draft') {
    return (
      <>
        Created <Timestamp at={createdAt} inline />
      </>
    )
  }
  if (status === 'scheduled' && scheduledAt) {
    return (
      <>
        Sends <Timestamp at={scheduledAt} inline />
      </>
    )
  }
  const { submitted, failed, unknown } = progress.statuses
  return (
    <>
      <span className="font-semibold text-ink">{formatNumber(submitted)}</span> of {readers(progress.total)}
      {failed + unknown > 0 && `, ${formatNumber(failed)} failed, ${formatNumber(unknown)} unknown`}
      {finishedAt && (
        <span className="block">
          <Timestamp at={finishedAt} />
        </span>
      )}
    </>
  )
}

type UnsentIssue = { id: string; title: string; date: string }
type NewMailingProps = { unsent: readonly UnsentIssue[]; onCreated: (id: string) => void }

/** Published drops that haven't been emailed, and buttons for a digest and news. */
function NewMailing({ unsent, onCreated }: NewMailingProps) {
  const create = useChange(adminCreateMailingCall)
  const handleCreate = (wanted: Parameters<typeof create.mutate>[0]) => {
    if (!create.isPending) create.mutate(wanted, { onSuccess: ({ id }) => onCreated(id) })
  }
  const isMaking = (id: string) =>
    create.isPending && create.variables.kind === 'issue' && create.variables.issueId === id
  return (
    <section aria-labelledby="to-send" className="pt-8">
      <h2 id="to-send" className="display text-2xl">
        Ready to send
      </h2>
      <p className="mt-1 max-w-[60ch] text-muted">{ownWords`Published drops that haven’t been emailed yet. Next, you choose the audience, preview the email, and run the checks.`}</p>
      {unsent.length > 0 ? (
        <ul className="mt-4 divide-y divide-line border-y border-line">
          {unsent.map(({ id, title, date }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="font-semibold">{title}</p>
                <time dateTime={date} className="text-sm text-muted">
                  {formatDay(date)}
                </time>
              </div>
              <Button
                variant="secondary"
                aria-label={`Prepare ${title}`}
                pending={isMaking(id)}
                onClick={() => handleCreate({ kind: 'issue', issueId: id })}
              >
                Prepare
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="mt-4 border-y border-line py-6 text-muted">{ownWords`All published drops have been emailed.`}</p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <Button variant="secondary" onClick={() => handleCreate({ kind: 'digest' })}>
          New monthly digest
        </Button>
        <Button variant="secondary" onClick={() => handleCreate({ kind: 'news' })}>
          New product news
        </Button>
      </div>
      <InlineError className="mt-3">{formErrorMessage(create.error)}</InlineError>
    </section>
  )
}
