import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { alwaysStaleQuery } from '#client/lib/call-query.ts'
import { SelectField } from '#client/ui/field.tsx'
import { PageHeading } from '#client/ui/page-heading.tsx'
import { QueryPlaceholder } from '#client/ui/query-placeholder.tsx'
import { ScrollBox } from '#client/ui/scroll-box.tsx'
import { Section } from '#client/ui/section.tsx'
import { adminSourcesCall, type SourcesReport } from '#shared/contracts/publishing/sources.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { formatList } from '#shared/domain/format-days-and-lists.ts'
import { formatMoney } from '#shared/domain/format-money.ts'

export function Component() {
  const { role } = useStaffRole()
  return (
    <>
      <PageHeading title="Sources" />
      <SourcesSection canOpenMembers={role === 'owner'} />
    </>
  )
}

const periods = [7, 30, 90] as const
type Days = (typeof periods)[number]

/** Visits by source, and what became of the members who signed up: each number opens its members. */
function SourcesSection({ canOpenMembers }: { canOpenMembers: boolean }) {
  const [days, setDays] = useState<Days>(30)
  const report = useQuery(alwaysStaleQuery(['admin-sources', days], adminSourcesCall, { days }))
  return (
    <>
      <SelectField
        label="Period"
        fieldClassName="mt-6 mb-8 max-w-xs"
        value={days}
        onChange={({ target }) => setDays(periods.find((each) => each === Number(target.value)) ?? 30)}
        options={periods.map((each) => [each, `Last ${each} days`])}
      />
      <Section
        title="Where readers come from"
        lede="Visits of public pages, without cookies and without bots. Readers count for the source of their first visit on the day they signed up."
      >
        {report.data ? (
          report.data.sources.length === 0 ? (
            <p className="text-muted">No visits yet. They appear here a second after someone opens a public page.</p>
          ) : (
            <Sources {...report.data} days={days} canOpenMembers={canOpenMembers} />
          )
        ) : (
          <QueryPlaceholder query={report} what="where readers come from" lines={6} height="h-11" />
        )}
      </Section>
      {report.data && report.data.pages.length > 0 && (
        <Section
          title="Pages they read"
          lede={`Bots viewed ${formatNumber(report.data.botViews)} pages, which aren’t counted.`}
        >
          <Pages pages={report.data.pages} />
        </Section>
      )}
    </>
  )
}

const cell = 'py-2.5 pl-4'
const linkStyles = 'text-link inline-flex min-h-11 min-w-11 items-center justify-end'

function Sources({ sources, days, canOpenMembers }: SourcesReport & { days: Days; canOpenMembers: boolean }) {
  const count = (value: number, query: Record<string, string>) => {
    const shown = formatNumber(value)
    if (!canOpenMembers || value === 0) return shown
    return (
      <Link to={`/admin/members?${new URLSearchParams({ ...query, joined: String(days) })}`} className={linkStyles}>
        {shown}
      </Link>
    )
  }
  return (
    <ScrollBox label="Where readers come from" className="max-w-3xl overflow-x-auto scroll-edge">
      <table className="w-full text-right text-sm tabular-nums">
        <thead>
          <tr className="border-b border-line-strong text-muted">
            <th scope="col" className="py-2.5 pr-4 text-left font-medium">
              Source
            </th>
            {['Visits', 'Free', 'Paid', 'Revenue'].map((name) => (
              <th key={name} scope="col" className={`${cell} font-medium`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {sources.map(({ source, visits, free, paid, netPaid }) => (
            <tr key={source}>
              <th scope="row" className="py-2.5 pr-4 text-left font-medium">
                {source}
              </th>
              <td className={cell}>{formatNumber(visits)}</td>
              <td className={cell}>{count(free, { source, status: 'free' })}</td>
              <td className={cell}>{count(paid, { source, status: 'active' })}</td>
              <td className={cell}>
                {netPaid.length > 0
                  ? formatList(netPaid.map(({ currency, cents }) => formatMoney(cents, currency)))
                  : '–'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

const Pages = ({ pages }: Pick<SourcesReport, 'pages'>) => (
  <ScrollBox label="Pages they read" className="max-w-3xl overflow-x-auto scroll-edge">
    <table className="w-full text-right text-sm tabular-nums">
      <thead>
        <tr className="border-b border-line-strong text-muted">
          <th scope="col" className="py-2.5 pr-4 text-left font-medium">
            Page
          </th>
          <th scope="col" className={`${cell} font-medium`}>
            First views
          </th>
          <th scope="col" className={`${cell} font-medium`}>
            Views
          </th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {pages.map(({ path, visits, views }) => (
          <tr key={path}>
            <th scope="row" className="py-1 pr-4 text-left font-medium">
              <a href={path} className="text-link inline-flex min-h-11 items-center [overflow-wrap:anywhere]">
                {path}
              </a>
            </th>
            <td className={cell}>{formatNumber(visits)}</td>
            <td className={cell}>{formatNumber(views)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollBox>
)
