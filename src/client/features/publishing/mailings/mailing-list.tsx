import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { newslettersQuery } from '#client/lib/newsletters-query.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { LoadMore } from '#client/ui/infinite-list.tsx'
import { inputStyles } from '#client/ui/input-styles.ts'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { MailingSummary } from '#shared/contracts/publishing/mailings.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { kindLabels, statusLabels, statusTones } from './mailing-labels.ts'
import { mailingsQuery } from './mailings.api.ts'
import { NewMailing } from './new-mailing.tsx'

type MailingListProps = {
  /** The newsletter whose mailings are listed; all if missing. */
  newsletterId: number | null
  onNewsletter: (newsletterId: number | null) => void
  onCreated: (id: string) => void
}

/** Unsent issues and all mailings, newest first. */
export function MailingList({ newsletterId, onNewsletter, onCreated }: MailingListProps) {
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
          <label className="mt-4 mb-2 grid max-w-xs gap-1.5 text-sm font-semibold">
            Newsletter
            <select
              className={inputStyles}
              value={newsletterId ?? ''}
              onChange={({ target }) => onNewsletter(target.value ? Number(target.value) : null)}
            >
              <option value="">All mailings</option>
              {newsletters.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
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
