import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { useNavigate } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { DropFeedbackReport } from '#client/features/reader/feedback/drop-feedback-report.tsx'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form-error.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { Section } from '#client/ui/section.tsx'
import { adminMailingReportCall, type MailingReport } from '#shared/contracts/publishing/mailing-report.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { useCreateMailing } from './mailings.api.ts'
import { ReportChart } from './report-chart.tsx'
import { ReportComparison } from './report-comparison.tsx'
import { formatPercent, listAddress, type ReportFigure, reportFigures, shareOf, usualShare } from './report-figures.ts'
import { BounceCauses, ClickedLinks } from './report-lists.tsx'

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
  const create = useCreateMailing()
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
