import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from 'react-router'
import { seriesListQuery } from '#client/features/operations/series/series.api.ts'
import { SeriesStatusTag } from '#client/features/operations/series/series-status-tag.tsx'
import { useTriggerNames } from '#client/features/operations/series/trigger-fields.tsx'
import { useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { InlineError } from '#client/ui/form.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import type { SeriesSummary } from '#shared/contracts/operations/series.ts'
import { adminSaveSeriesCall } from '#shared/contracts/operations/series.ts'
import { describeTrigger, type TriggerNames } from '#shared/domain/describe-series.ts'
import { formatNumber } from '#shared/domain/format-count.ts'

export function Component() {
  const navigate = useNavigate()
  return (
    <>
      <PageHeading title="Series" />
      <div className="pt-8">
        <SeriesList onCreated={(id) => navigate(`/admin/newsletter/series/${id}`)} />
      </div>
    </>
  )
}

/** All series, with a button that makes a new one. */
function SeriesList({ onCreated }: { onCreated: (id: string) => void }) {
  const list = useQuery(seriesListQuery)
  const create = useChange(adminSaveSeriesCall)
  const names = useTriggerNames(list.data?.items.map(({ trigger }) => trigger) ?? [])
  if (!list.data) return <QueryPlaceholder query={list} what="the series" lines={5} height="h-16" />
  const { items } = list.data
  const handleCreate = () =>
    create.mutate(
      {
        name: newName(items),
        trigger: { kind: 'free_sign_up' },
        steps: [],
        leavesWhen: null,
        reentryDays: null,
      },
      { onSuccess: ({ id }) => onCreated(id) },
    )
  return (
    <>
      <div className="action-row">
        <p className="text-muted">
          <span className="block max-w-[60ch]">
            Emails that follow up by themselves: when someone signs up, gets a tag, before a plan renews, or after a
            while without a visit. Each member gets each step once.
          </span>
        </p>
        <Button variant="secondary" pending={create.isPending} onClick={handleCreate}>
          New series
        </Button>
      </div>
      <InlineError className="mt-3">{formErrorMessage(create.error)}</InlineError>
      {items.length === 0 ? (
        <p className="mt-8 text-muted">No series yet.</p>
      ) : (
        <ul className="mt-8 border-t-2 border-ink">
          {items.map((series) => (
            <SeriesRow key={series.id} series={series} names={names} />
          ))}
        </ul>
      )}
    </>
  )
}

type SeriesRowProps = { series: SeriesSummary; names: TriggerNames }

function SeriesRow({ series: { id, name, status, trigger, emails, totals }, names }: SeriesRowProps) {
  return (
    <li className="grid gap-x-8 gap-y-1 border-b border-line py-3.5 md:grid-cols-[minmax(0,1fr)_minmax(0,20rem)]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-3">
          <Link
            to={`/admin/newsletter/series/${id}`}
            className="text-link inline-flex min-h-11 items-center font-semibold [overflow-wrap:anywhere] sm:min-h-0"
          >
            {name}
          </Link>
          <SeriesStatusTag status={status} />
        </p>
        <p className="text-sm text-muted">
          {describeTrigger(trigger, names)} · {emails} {emails === 1 ? 'email' : 'emails'}
        </p>
      </div>
      <p className="text-sm text-muted tabular-nums md:text-right">
        {totals.entered === 0
          ? 'No one entered yet'
          : `${formatNumber(totals.entered)} entered, ${formatNumber(totals.inside)} in it now`}
      </p>
    </li>
  )
}

function newName(items: readonly SeriesSummary[]): string {
  const taken = new Set(items.map(({ name }) => name))
  let name = 'New series'
  for (let n = 2; taken.has(name); n += 1) name = `New series ${n}`
  return name
}
