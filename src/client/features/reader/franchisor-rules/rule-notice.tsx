import { clsx } from 'clsx'
import { Ban, ChevronDown, CircleHelp, MessageCircleQuestion } from 'lucide-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import type { Ruling } from '#shared/domain/franchisor-rules.ts'
import { rulingLine } from '#shared/domain/ruling-line.ts'

const looks: Record<Ruling['rule'], { icon: typeof Ban; tone: string }> = {
  forbidden: { icon: Ban, tone: 'text-danger' },
  'ask-first': { icon: MessageCircleQuestion, tone: 'text-accent-ink' },
  unknown: { icon: CircleHelp, tone: 'text-muted' },
}

type RuleNoticeProps = {
  ruling: Ruling
  /** Title of the item; completes the accessible name. */
  title: string
  className?: string
  /** The advice, rendered on the first tap. */
  children: ReactNode
}

/** One line at an item that a rule concerns. A tap shows what to do. */
export function RuleNotice({ ruling, title, className, children }: RuleNoticeProps) {
  const [open, setOpen] = useState(false)
  const detailsId = useId()
  const { icon: Icon, tone } = looks[ruling.rule]
  return (
    <div className={clsx('text-sm', className)}>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={detailsId}
        onClick={() => setOpen(!open)}
        className={clsx('inline-flex min-h-11 items-center gap-2 rounded-sm text-left font-medium', tone)}
      >
        <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
        {rulingLine(ruling)}
        <span className="sr-only"> ({title})</span>
        <ChevronDown
          aria-hidden
          className={clsx('size-4 shrink-0 transition-transform print:hidden', open && 'rotate-180')}
          strokeWidth={1.75}
        />
      </button>
      <div id={detailsId} hidden={!open} className="print:hidden">
        {open && <Suspense fallback={<SkeletonText lines={6} className="measure py-3" />}>{children}</Suspense>}
      </div>
    </div>
  )
}
