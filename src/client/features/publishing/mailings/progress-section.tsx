import { Fragment } from 'react'
import { Link } from 'react-router'
import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { useChange } from '#client/lib/changes.ts'
import { inWords } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { ConfirmButton } from '#client/ui/dialog.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { Mailing, MailingEstimate } from '#shared/contracts/publishing/mailings.ts'
import { adminMailingActionCall } from '#shared/contracts/publishing/mailings.ts'
import { deliveryCauses, deliveryStatuses } from '#shared/contracts/publishing/newsletter.ts'
import { formatList } from '#shared/domain/format.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { deliveryLabels, feedbackLabels, pauseText, statusLabels, statusTones } from './mailing-labels.ts'

/** Live progress of a mailing, with buttons to pause, resume or stop it. */
export function ProgressSection({ mailing }: { mailing: Mailing }) {
  const { progress, status } = mailing
  const settled = progress.total - progress.statuses.pending - progress.statuses.sending
  return (
    <Section
      title="Progress"
      status={<Tag tone={statusTones[status]}>{statusLabels[status]}</Tag>}
      lede={<Lede mailing={mailing} />}
    >
      {progress.total > 0 && (
        <>
          <progress
            className="h-2 w-full appearance-none overflow-hidden rounded-sm bg-sunken [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-primary"
            value={settled}
            max={progress.total}
            aria-label="Emails processed"
          />
          <p role="status" className="mt-1 text-sm text-muted tabular-nums">
            {formatNumber(settled)} of {readers(progress.total)} processed
          </p>
          {mailing.estimate && <SendingEstimate estimate={mailing.estimate} />}
          <Figures mailing={mailing} />
          {mailing.tracked && (
            <p className="mt-3 max-w-3xl text-sm text-muted">
              Opens and clicks are counted only for readers who allow it. Bots are automated opens and clicks, such as
              security scanners.
            </p>
          )}
        </>
      )}
      <MailingActions mailing={mailing} />
    </Section>
  )
}

/** Length of an ISO instant up to its minutes. */
const minutes = '2026-11-23T10:20'.length

function Lede({ mailing: { status, scheduledAt, startedAt, finishedAt, pauseReason } }: { mailing: Mailing }) {
  if (status === 'paused') return pauseText({ pauseReason })
  if (status === 'scheduled' && scheduledAt) {
    return Date.parse(scheduledAt) <= Date.now() ? (
      'Running the final checks before sending.'
    ) : (
      <>
        Sends <Timestamp at={scheduledAt} inline />.
      </>
    )
  }
  if (status === 'stopped') return 'Stopped by you. Anyone who hadn’t received it yet won’t get it from this mailing.'
  if (finishedAt && startedAt) {
    const isShort = startedAt.slice(0, minutes) === finishedAt.slice(0, minutes)
    return (
      <>
        Sent <Timestamp at={startedAt} inline />
        {!isShort && (
          <>
            , finished <Timestamp at={finishedAt} inline />
          </>
        )}
        .
      </>
    )
  }
  return startedAt ? (
    <>
      Started <Timestamp at={startedAt} inline />.
    </>
  ) : (
    'Preparing the list of recipients.'
  )
}

/** Each count links to its deliveries. The statuses add up to the total. */
function Figures({ mailing: { id, progress, tracked, waitingForHour } }: { mailing: Mailing }) {
  const listAt = (query: string) => `/admin/newsletter/${id}/deliveries?${query}`
  const feedbackTotals = [
    { name: 'hard_bounce', value: progress.hardBounces },
    { name: 'soft_bounce', value: progress.softBounces },
    { name: 'complaint', value: progress.complaints },
  ] as const
  const seen = [
    { name: 'opened', value: progress.opened },
    { name: 'clicked', value: progress.clicked },
    { name: 'bot_opened', value: progress.botOpened },
    { name: 'bot_clicked', value: progress.botClicked },
  ] as const
  const feedback = [...feedbackTotals.filter(({ value }) => value > 0), ...(tracked ? seen : [])]
  return (
    <dl className="mt-6 max-w-3xl divide-y divide-line border-y border-line tabular-nums">
      {deliveryStatuses.map((status) => (
        <Fragment key={status}>
          <FigureRow label={deliveryLabels[status]} value={progress.statuses[status]} to={listAt(`status=${status}`)} />
          {status === 'pending' && waitingForHour && (
            <FigureRow
              inner
              label="Waiting for their hour"
              value={waitingForHour.count}
              to={listAt('status=pending')}
            />
          )}
          {progress.causes
            .filter((cause) => cause.status === status)
            .map(({ cause, count }) => (
              <FigureRow
                key={cause}
                inner
                label={inWords(deliveryCauses[cause])}
                value={count}
                to={listAt(`status=${status}&cause=${cause}`)}
              />
            ))}
        </Fragment>
      ))}
      <FigureRow label="Total" value={progress.total} to={listAt('')} strong />
      {feedback.map(({ name, value }) => (
        <FigureRow key={name} label={feedbackLabels[name]} value={value} to={listAt(`feedback=${name}`)} />
      ))}
    </dl>
  )
}

type FigureRowProps = { label: string; value: number; to: string; inner?: boolean; strong?: boolean }

function FigureRow({ label, value, to, inner = false, strong = false }: FigureRowProps) {
  return (
    <div className={`flex items-center justify-between gap-6 ${inner ? 'pl-6 text-sm text-muted' : ''}`}>
      <dt className={`py-2.5 ${strong ? 'font-semibold' : ''}`}>{label}</dt>
      <dd className={strong ? 'font-semibold' : ''}>
        {value > 0 ? (
          <PageLink
            to={to}
            label={`${label}: ${formatNumber(value)}, show the list`}
            className="inline-flex min-h-11 min-w-11 items-center justify-end px-1"
          >
            {formatNumber(value)}
          </PageLink>
        ) : (
          <span className="inline-flex min-h-11 items-center px-1 text-muted">0</span>
        )}
      </dd>
    </div>
  )
}

function MailingActions({ mailing: { id, status } }: { mailing: Mailing }) {
  const transition = useChange(adminMailingActionCall, { failure: 'Nothing changed' })
  const isUnderWay = status === 'sending' || status === 'preparing' || status === 'paused'
  if (!isUnderWay && status !== 'scheduled') return null
  return (
    <div className="mt-6 flex flex-wrap gap-3">
      {status === 'sending' && (
        <Button
          variant="secondary"
          pending={transition.isPending}
          onClick={() => transition.mutate({ id, action: 'pause' })}
        >
          Pause
        </Button>
      )}
      {status === 'paused' && (
        <Button pending={transition.isPending} onClick={() => transition.mutate({ id, action: 'resume' })}>
          Resume
        </Button>
      )}
      {status === 'scheduled' && (
        <Button
          variant="secondary"
          pending={transition.isPending}
          onClick={() => transition.mutate({ id, action: 'unschedule' })}
        >
          Unschedule
        </Button>
      )}
      {isUnderWay && (
        <ConfirmButton
          label="Stop mailing"
          variant="quiet"
          title="Stop this mailing?"
          action="Stop mailing"
          onConfirm={() => transition.mutate({ id, action: 'stop' })}
        >
          Anyone who hasn’t received it yet won’t get it from this mailing. You can’t resume it later.
        </ConfirmButton>
      )}
    </div>
  )
}

/** Nothing is shown if sending finishes sooner. */
const soonMs = 60_000

/** Why a mailing waits, when it resumes, and when it will finish. */
function SendingEstimate({ estimate }: { estimate: MailingEstimate }) {
  const { waitsFor, resumesAt, finishesAt } = estimate
  const isSoon = finishesAt !== null && Date.parse(finishesAt) < Date.now() + soonMs
  if (!waitsFor && isSoon) return null
  return (
    <div className="mt-4 max-w-3xl border-l-3 border-accent bg-sunken px-4 py-3">
      {waitsFor && resumesAt && (
        <p role="status">
          <strong className="font-semibold">{reasonText(estimate)}</strong> Sending resumes{' '}
          <Timestamp at={resumesAt} inline />.
        </p>
      )}
      <p className="text-muted">
        {finishesAt ? (
          <>
            Finishes around <Timestamp at={finishesAt} inline />.{' '}
          </>
        ) : (
          'At this rate, sending takes more than a year. '
        )}
        {waitsFor !== 'retry' && waitsFor !== 'readerHours' && (
          <Link to="/admin/newsletter/settings" className="text-link inline-flex min-h-11 items-center sm:min-h-0">
            Change sending limits
          </Link>
        )}
      </p>
    </div>
  )
}

function reasonText({ waitsFor, limit, fullDomains }: MailingEstimate): string {
  switch (waitsFor) {
    case 'warmUp':
      return `Waiting for tomorrow: today’s warm-up limit of ${formatNumber(limit ?? 0)} emails has been reached.`
    case 'hour':
      return `Waiting: the limit of ${formatNumber(limit ?? 0)} emails per hour has been reached.`
    case 'domains':
      return `Waiting: the hourly limit for ${formatList(fullDomains)} has been reached.`
    case 'retry':
      return 'Waiting: mail servers asked us to retry the remaining emails later.'
    case 'readerHours':
      return 'Waiting for readers’ own hours.'
    case null:
      return ''
  }
}
