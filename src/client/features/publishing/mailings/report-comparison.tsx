import { clsx } from 'clsx'
import { useId } from 'react'
import { Link } from 'react-router'
import { PageLink } from '#client/ui/page-link.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { MailingReport } from '#shared/contracts/publishing/mailing-report.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { formatPercent, listAddress, type ReportFigure, reportFigures, shareOf } from './report-figures.ts'

type Compared = MailingReport['previous'][number] & { isThis?: boolean }

type ReportComparisonProps = { mailing: Mailing; previous: MailingReport['previous'] }

/** This mailing beside the last five of its kind. On a phone it scrolls sideways, with a sticky first column. */
export function ReportComparison({ mailing, previous }: ReportComparisonProps) {
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
