import { formatDay } from '#shared/domain/format.ts'

/** The day the facts of a piece were last checked; nothing if it isn't known. */
export function LastChecked({ on }: { on: string | null }) {
  if (!on) return null
  return (
    <p className="text-sm text-muted tabular-nums">
      Last checked <time dateTime={on}>{formatDay(on)}</time>
    </p>
  )
}
