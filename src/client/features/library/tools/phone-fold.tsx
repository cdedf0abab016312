import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'

type PhoneFoldProps = {
  title: string
  /** Completes the accessible name: "On our five criteria for Jobber". */
  of: string
  className?: string
  children: ReactNode
}

/** On a phone the content is folded under its title. On wider screens it is open, without the title. */
export function PhoneFold({ title, of, className, children }: PhoneFoldProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  return (
    <div className={clsx('max-sm:border-b max-sm:border-line', className)}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        className="flex min-h-12 w-full items-center justify-between gap-3 text-left text-sm font-semibold sm:hidden"
      >
        {title}
        <span className="sr-only"> for {of}</span>
        <ChevronRight
          aria-hidden
          className={clsx('size-5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
          strokeWidth={1.75}
        />
      </button>
      <div id={id} className={clsx('max-sm:pb-4', !open && 'max-sm:hidden')}>
        {children}
      </div>
    </div>
  )
}
