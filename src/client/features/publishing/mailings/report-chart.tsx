import { readers } from '#client/features/publishing/documents/reader-counts.ts'
import { FigureTable } from '#client/ui/figure-table.tsx'
import { Disclosure } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { MailingReport } from '#shared/contracts/publishing/mailing-report.ts'
import type { Mailing } from '#shared/contracts/publishing/mailings.ts'
import { hourMs } from '#shared/domain/durations.ts'
import { formatNumber } from '#shared/domain/format-count.ts'

type Hour = MailingReport['hours'][number]
type Series = 'opened' | 'clicked'

const hoursShown = 48
/** Drawing units. The drawing is stretched to the width of the page. */
const column = 10
const height = 100
const ticks = [0, 12, 24, 36, 48]

/** Opens and clicks in the first two days, hour by hour. The table contains the same figures and the following days. */
export function ReportChart({ mailing, hours }: { mailing: Mailing; hours: readonly Hour[] }) {
  if (hours.length === 0) return null
  return (
    <>
      {mailing.tracked && <Drawing mailing={mailing} hours={hours} />}
      <HourTable mailing={mailing} hours={hours} />
    </>
  )
}

function Drawing({ mailing, hours }: { mailing: Mailing; hours: readonly Hour[] }) {
  const firstHour = Math.floor(Date.parse(mailing.startedAt ?? '') / hourMs) * hourMs
  const shown = hours.flatMap((hour) => {
    const index = Math.round((Date.parse(hour.at) - firstHour) / hourMs)
    return index >= 0 && index < hoursShown ? [{ ...hour, index }] : []
  })
  const most = Math.max(0, ...shown.map(({ opened, clicked }) => Math.max(opened, clicked)))
  if (most === 0) return <p className="mt-6 text-muted">No opens or clicks in the first 48 hours yet.</p>
  const total = (series: Series) => shown.reduce((sum, hour) => sum + hour[series], 0)
  const bar = (series: Series, offset: number, className: string) =>
    shown.map((hour) => {
      const up = (hour[series] / most) * height
      return (
        <rect
          key={`${series} ${hour.index}`}
          x={hour.index * column + offset}
          y={height - up}
          width={column / 2 - 1}
          height={up}
          className={className}
        />
      )
    })
  return (
    <figure className="mt-6">
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 text-sm text-muted">
        <span className="font-semibold text-ink">First 48 hours</span>
        <Key className="bg-primary">Opened</Key>
        <Key className="bg-accent">Clicked</Key>
        <span className="ml-auto tabular-nums">up to {readers(most)} an hour</span>
      </figcaption>
      <svg
        role="img"
        aria-label={`In the first 48 hours ${readers(total('opened'))} opened the email and ${readers(total('clicked'))} clicked. See “Hour by hour” for all figures.`}
        viewBox={`0 0 ${hoursShown * column} ${height}`}
        preserveAspectRatio="none"
        className="mt-2 h-40 w-full"
      >
        {ticks.slice(1, -1).map((tick) => (
          <line
            key={tick}
            {...{ x1: tick * column, x2: tick * column, y1: 0, y2: height }}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
        ))}
        {bar('opened', 0.5, 'fill-primary')}
        {bar('clicked', column / 2 + 0.5, 'fill-accent')}
        <line
          {...{ x1: 0, x2: hoursShown * column, y1: height, y2: height }}
          vectorEffect="non-scaling-stroke"
          className="stroke-line-strong"
        />
      </svg>
      <p aria-hidden className="mt-1 flex justify-between text-xs text-muted tabular-nums">
        {ticks.map((tick) => (
          <span key={tick}>{tick === 0 ? 'Start' : `${tick} h`}</span>
        ))}
      </p>
    </figure>
  )
}

const Key = ({ className, children }: { className: string; children: string }) => (
  <span className="inline-flex items-center gap-2">
    <span className={`size-3 rounded-sm ${className}`} />
    {children}
  </span>
)

function HourTable({ mailing: { tracked }, hours }: { mailing: Mailing; hours: readonly Hour[] }) {
  const columns = [
    { name: 'Sent', of: ({ submitted }: Hour) => submitted },
    ...(tracked
      ? [
          { name: 'Opened', of: ({ opened }: Hour) => opened },
          { name: 'Clicked', of: ({ clicked }: Hour) => clicked },
        ]
      : []),
    { name: 'Unsubscribed', of: ({ unsubscribed }: Hour) => unsubscribed },
  ]
  return (
    <Disclosure summary="Hour by hour" className="mt-4">
      <FigureTable
        caption="Hour by hour"
        hidesCaption
        className="max-h-96 max-w-2xl overflow-y-auto"
        head="Hour from"
        columns={columns.map(({ name }) => name)}
        rows={hours.map((hour) => ({
          id: hour.at,
          name: <Timestamp at={hour.at} />,
          figures: columns.map(({ of }) => formatNumber(of(hour))),
        }))}
      />
      <p className="mt-2 text-sm text-muted">
        Hours without anything are left out. The table ends 14 days after the start.
      </p>
    </Disclosure>
  )
}
