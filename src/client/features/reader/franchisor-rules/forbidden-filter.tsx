import { EyeOff } from 'lucide-react'
import { Button } from '#client/ui/button.tsx'
import { useHideForbidden } from './hide-forbidden.ts'

type ForbiddenFilterProps = {
  /** Items on this page that the reader's rules forbid; at least one. */
  count: number
  className?: string
}

/** Hides what the reader's rules forbid, and says how much is hidden. */
export default function ForbiddenFilter({ count, className }: ForbiddenFilterProps) {
  const [hide, setHide] = useHideForbidden()
  return (
    <div className={className}>
      {hide ? (
        <p role="status" className="flex flex-wrap items-center gap-x-2 text-sm print:hidden">
          <EyeOff aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
          <span className="tabular-nums">{count} hidden by your rules</span>
          <span aria-hidden>·</span>
          <Button variant="quiet" size="sm" className="-mx-2 text-primary underline" onClick={() => setHide(false)}>
            Show
            <span className="sr-only"> what your rules forbid</span>
          </Button>
        </p>
      ) : (
        <label className="inline-flex min-h-11 items-center gap-2.5 text-sm print:hidden">
          <input type="checkbox" className="size-5 shrink-0" checked={false} onChange={() => setHide(true)} />
          <span>
            Hide what my rules forbid <span className="text-muted tabular-nums">({count})</span>
          </span>
        </label>
      )}
    </div>
  )
}
