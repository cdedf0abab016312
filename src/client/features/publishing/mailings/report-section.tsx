import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useId } from 'react'
import { Link, useNavigate } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { DropFeedbackReport } from '#client/features/reader/feedback/drop-feedback-report.tsx'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import {
  adminMailingReportCall,
  bounceCauses,
  type MailingReport,
} from '#shared/contracts/publishing/mailing-report.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { adminCreateMailingCall } from '#shared/contracts/publishing/mailings.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { ReportChart } from './report-chart.tsx'
import { formatPercent, listAddress, type ReportFigure, reportFigures, shareOf, usualShare } from './report-figures.ts'

const whileSendingMs = 10_000

const mailingReportQuery = (id: string, isUnderWay: boolean) =>
  alwaysStaleQuery(
    ['admin-mailing-report', id],
    adminMailingReportCall,
    { id },
    { refetchInterval: isUnderWay && whileSendingMs },
  )

/** Reports on a mailing that has started: totals, course over time, links, bounces and earlier mailings. */
export function ReportSection({ mailing }: { mailing: Mailing }) {
  const { role } = useStaffRole()
  const report = useQuery(mailingReportQuery(mailing.id, mailing.status === 'sending'))
  return (
    <Section title="Report">
      <Totals mailing={mailing} previous={report.data?.previous ?? []} />
      <TrackingNote mailing={mailing} />
      {(role === 'owner' || role === 'editor') && <Resend mailing={mailing} />}
      {report.data ? (
        <>
          {mailing.startedAt && <ReportChart mailing={mailing} hours={report.data.hours} />}
          <div className="grid gap-x-12 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
            <ClickedLinks mailingId={mailing.id} links={report.data.links} />
            <BounceCauses mailingId={mailing.id} causes={report.data.bounceCauses} />
          </div>
          {mailing.issueId && mailing.kind === 'issue' && (
            <DropFeedbackReport issueId={mailing.issueId} linksMembers={role === 'owner'} />
          )}
          <ReportComparison mailing={mailing} previous={report.data.previous} />
        </>
      ) : (
        <QueryPlaceholder query={report} what="the report" lines={6} height="h-11" />
      )}
    </Section>
  )
}

type TotalsProps = { mailing: Mailing; previous: MailingReport['previous'] }

function Totals({ mailing, previous }: TotalsProps) {
  const [first, ...others] = reportFigures
  if (!first) return null
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 sm:grid-cols-4 lg:grid-cols-7 lg:gap-x-0 lg:divide-x lg:divide-line">
      <Total figure={first} mailing={mailing} usual={null} />
      {others.map((each) => (
        <Total key={each.name} figure={each} mailing={mailing} usual={usualShare(each, previous)} />
      ))}
    </dl>
  )
}

function Total({ figure: each, mailing, usual }: { figure: ReportFigure; mailing: Mailing; usual: number | null }) {
  const isUnknown = each.isTracked && !mailing.tracked
  const value = each.value(mailing.progress)
  const share = shareOf(each, mailing)
  return (
    <div className="min-w-0 lg:px-4 lg:first:pl-0">
      <dt className="text-sm text-muted">{each.label}</dt>
      <dd className="tabular-nums">
        <span className={clsx('display block text-3xl', isUnknown && 'text-muted')}>
          {isUnknown ? (
            '–'
          ) : value > 0 ? (
            <PageLink
              to={listAddress(mailing.id, each.filter)}
              label={`${each.label}: ${formatNumber(value)}, show the list`}
              className="inline-flex min-h-11 min-w-11 items-center"
              linkClassName="rounded-sm hover:text-primary hover:underline hover:underline-offset-4"
            >
              {formatNumber(value)}
            </PageLink>
          ) : (
            <span className="inline-flex min-h-11 items-center">0</span>
          )}
        </span>
        {isUnknown ? (
          <span className="block text-sm text-muted">Not counted</span>
        ) : (
          share !== null && (
            <span className="block text-sm">
              {formatPercent(share)} {each.of}
            </span>
          )
        )}
        {usual !== null && !isUnknown && (
          <span className="block text-sm text-muted">usually {formatPercent(usual)}</span>
        )}
      </dd>
    </div>
  )
}

/** A draft for those who didn't open the mailing. Its subject can be changed there. */
function Resend({ mailing: { id, kind, status, tracked, audience } }: { mailing: Mailing }) {
  const create = useChange(adminCreateMailingCall)
  const navigate = useNavigate()
  const isResendable = status === 'sent' && tracked && (kind === 'issue' || kind === 'news')
  if (!isResendable || audience.unopenedMailingId) return null
  const handleResend = () =>
    create.mutate(
      { kind: 'resend', mailingId: id },
      { onSuccess: (made) => void navigate(`/admin/newsletter/${made.id}`) },
    )
  return (
    <div className="mt-4">
      <Button variant="secondary" pending={create.isPending} onClick={handleResend}>
        Resend to those who didn’t open
      </Button>
      <InlineError>{formErrorMessage(create.error)}</InlineError>
    </div>
  )
}

function TrackingNote({ mailing: { tracked } }: { mailing: Mailing }) {
  return (
    <p className="mt-4 measure text-sm text-muted">
      {tracked ? (
        'Opens and clicks are counted only for readers who allow it, and their percentages refer to these readers. Bots aren’t counted. “Usually” is the median of the last five of this kind.'
      ) : (
        <>
          This mailing didn’t count opens and clicks.{' '}
          <PageLink to="/admin/newsletter/settings">Newsletter settings</PageLink>
        </>
      )}
    </p>
  )
}

/** The links of the email by the readers who clicked them. */
function ClickedLinks({ mailingId, links }: { mailingId: string; links: MailingReport['links'] }) {
  if (links.length === 0) return null
  const most = Math.max(1, ...links.map((link) => link.readers))
  return (
    <section aria-labelledby="report-links" className="mt-8">
      <h4 id="report-links" className="border-b-2 border-ink pb-2 font-semibold">
        Links by clicks
      </h4>
      <ol>
        {links.map((link) => (
          <li key={link.url} className="border-b border-line py-2">
            <div className="flex items-center justify-between gap-4">
              <a
                href={link.url}
                target="_blank"
                rel="noreferrer"
                className="min-w-0 text-sm [overflow-wrap:anywhere] hover:underline"
              >
                {link.url.replace(/^https?:\/\//, '')}
              </a>
              <CountLink
                count={link.readers}
                label={`${readers(link.readers)} clicked ${link.url}, show the list`}
                to={listAddress(mailingId, { link: link.url })}
              />
            </div>
            <div aria-hidden className="h-1.5 rounded-sm bg-sunken">
              <div className="h-full rounded-sm bg-accent" style={{ width: `${(link.readers / most) * 100}%` }} />
            </div>
            {link.bots > 0 && (
              <p className="mt-1 text-xs text-muted">and {formatNumber(link.bots)} by bots, which don’t count</p>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** Returned emails by cause. */
function BounceCauses({ mailingId, causes }: { mailingId: string; causes: MailingReport['bounceCauses'] }) {
  if (causes.length === 0) return null
  return (
    <section aria-labelledby="report-bounces" className="mt-8">
      <h4 id="report-bounces" className="border-b-2 border-ink pb-2 font-semibold">
        Why emails bounced
      </h4>
      <ul>
        {causes.map(({ cause, count }) => (
          <li key={cause} className="flex items-center justify-between gap-4 border-b border-line py-2 text-sm">
            {bounceCauses[cause]}
            <CountLink
              count={count}
              label={`${bounceCauses[cause]}: ${formatNumber(count)}, show the list`}
              to={listAddress(mailingId, { bounceCause: cause })}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

const CountLink = ({ count, label, to }: { count: number; label: string; to: string }) =>
  count > 0 ? (
    <PageLink
      to={to}
      label={label}
      className="inline-flex min-h-11 min-w-11 shrink-0 items-center justify-end px-1 tabular-nums"
    >
      {formatNumber(count)}
    </PageLink>
  ) : (
    <span className="inline-flex min-h-11 shrink-0 items-center px-1 text-muted">0</span>
  )

type Compared = MailingReport['previous'][number] & { isThis?: boolean }

type ReportComparisonProps = { mailing: Mailing; previous: MailingReport['previous'] }

/** This mailing beside the last five of its kind. On a phone it scrolls sideways, with a sticky first column. */
function ReportComparison({ mailing, previous }: ReportComparisonProps) {
  const captionId = useId()
  if (previous.length === 0 || !mailing.startedAt) return null
  const rows: Compared[] = [{ ...mailing, startedAt: mailing.startedAt, isThis: true }, ...previous]
  return (
    <ScrollBox labelledBy={captionId} className="mt-10 overflow-x-auto scroll-edge">
      <table className="w-full text-right text-sm tabular-nums">
        <caption id={captionId} className="pb-2 text-left text-base font-semibold">
          Compared with the last {previous.length === 1 ? 'one' : previous.length} of this kind
        </caption>
        <thead>
          <tr className="border-b border-line-strong whitespace-nowrap text-muted">
            <th scope="col" className="sticky left-0 bg-background py-2.5 pr-4 text-left font-medium">
              Mailing
            </th>
            {reportFigures.map(({ name, label }) => (
              <th key={name} scope="col" className="py-2.5 pl-5 font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((row) => (
            <tr key={row.id} className={clsx(row.isThis && 'font-semibold')}>
              <th
                scope="row"
                className="sticky left-0 w-1/3 min-w-36 bg-background py-2.5 pr-4 text-left font-medium [overflow-wrap:anywhere]"
              >
                {row.isThis ? (
                  'This mailing'
                ) : (
                  <Link to={`/admin/newsletter/${row.id}`} className="text-link">
                    {row.subject}
                  </Link>
                )}
                <span className="block text-xs font-normal text-muted">
                  <Timestamp at={row.startedAt} />
                </span>
              </th>
              {reportFigures.map((each) => (
                <Cell key={each.name} row={row} figure={each} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function Cell({ row, figure: each }: { row: Compared; figure: ReportFigure }) {
  const value = each.value(row.progress)
  const share = shareOf(each, row)
  const text = share === null ? formatNumber(value) : formatPercent(share)
  const isUnknown = each.isTracked && !row.tracked
  return (
    <td className="py-1 pl-5 whitespace-nowrap">
      {isUnknown ? (
        <span className="text-muted">–</span>
      ) : value === 0 ? (
        <span className="text-muted">0</span>
      ) : (
        <PageLink
          to={listAddress(row.id, each.filter)}
          label={`${each.label}: ${text} in ${row.isThis ? 'this mailing' : `“${row.subject}”`}, show the list`}
          className="inline-flex min-h-11 min-w-11 items-center justify-end"
        >
          {text}
        </PageLink>
      )}
    </td>
  )
}
