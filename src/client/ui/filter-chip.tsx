import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'

type FilterChipProps = { pressed: boolean; onToggle: () => void; className?: string; children: ReactNode }

/** A filter that is on or off, 44 pixels high. */
export function FilterChip({ pressed, onToggle, className, children }: FilterChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onToggle}
      className={clsx(
        'inline-flex min-h-11 shrink-0 items-center gap-1.5 rounded-full border px-4 text-sm font-medium whitespace-nowrap transition-colors',
        pressed ? 'border-success bg-success-soft text-success' : 'border-line-strong text-ink hover:border-ink',
        className,
      )}
    >
      {pressed && <Check aria-hidden className="-ml-1 size-4" strokeWidth={2} />}
      {children}
    </button>
  )
}

/** A named row of chips, which scrolls sideways on a phone. */
export function FilterChipRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className="-mx-(--gutter) min-w-0 overflow-x-auto px-(--gutter) py-1">
      <legend className="sr-only">{label}</legend>
      <div className="flex w-max gap-2">{children}</div>
    </fieldset>
  )
}
