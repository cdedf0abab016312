import { EyeOff } from 'lucide-react'
import { createStoredChoice } from '#client/lib/stored-choice.ts'
import { Button } from '#client/ui/button.tsx'

const hiding = createStoredChoice('front-counter:hide-forbidden')

/** Returns true if this device hides what the reader's rules forbid; off until the reader turns it on. */
export function useHideForbidden(): [boolean, (hide: boolean) => void] {
  return [hiding.useChoice() === 'on', (hide) => hiding.choose(hide ? 'on' : null)]
}

type ForbiddenFilterProps = {
  /** Items on this page that the reader's rules forbid. Nothing is rendered without any. */
  count: number
  className?: string
}

/** Hides what the reader's rules forbid, and says how much is hidden. */
export function ForbiddenFilter({ count, className }: ForbiddenFilterProps) {
  const [hide, setHide] = useHideForbidden()
  if (count === 0) return null
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
