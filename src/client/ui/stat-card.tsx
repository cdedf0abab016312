import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

type StatCardProps = { label: string; value: number | undefined; note?: ReactNode }

const whole = new Intl.NumberFormat('en-US')

/** One figure of a row of figures. Keeps its place while the value is not known. */
export function StatCard({ label, value, note }: StatCardProps) {
  return (
    <div className="border-t-2 border-ink pt-3">
      <h2 className="text-sm font-semibold text-muted">{label}</h2>
      <p className="display mt-1 flex h-12 items-center text-4xl tabular-nums">
        {value === undefined ? <Skeleton className="h-9 w-24" /> : whole.format(value)}
      </p>
      <p className="text-sm text-muted max-sm:empty:hidden sm:mt-1 sm:min-h-6">{note}</p>
    </div>
  )
}
