import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useStaffRole } from '#client/features/identity/auth/role.api.ts'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { FigureTable } from '#client/ui/figure-table.tsx'
import { SelectField } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading, Section } from '#client/ui/page-parts.tsx'
import { adminSourcesCall, type SourcesReport } from '#shared/contracts/publishing/sources.ts'
import { formatList, formatMoney } from '#shared/domain/format.ts'
import { formatNumber } from '#shared/domain/format-count.ts'

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
    <FigureTable
      caption="Where readers come from"
      hidesCaption
      className="max-w-3xl"
      head="Source"
      columns={['Visits', 'Free', 'Paid', 'Revenue']}
      rows={sources.map(({ source, visits, free, paid, netPaid }) => ({
        id: source,
        name: source,
        figures: [
          formatNumber(visits),
          count(free, { source, status: 'free' }),
          count(paid, { source, status: 'active' }),
          formatList(netPaid.map(({ currency, cents }) => formatMoney(cents, currency))) || '–',
        ],
      }))}
    />
  )
}

const Pages = ({ pages }: Pick<SourcesReport, 'pages'>) => (
  <FigureTable
    caption="Pages they read"
    hidesCaption
    className="max-w-3xl"
    head="Page"
    columns={['First views', 'Views']}
    rows={pages.map(({ path, visits, views }) => ({
      id: path,
      name: (
        <a href={path} className="text-link -my-1.5 inline-flex min-h-11 items-center">
          {path}
        </a>
      ),
      figures: [formatNumber(visits), formatNumber(views)],
    }))}
  />
)
