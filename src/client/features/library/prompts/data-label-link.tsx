import { FileText, MessageCircleQuestionMark, ShieldCheck } from 'lucide-react'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { type DataLabel, dataLabelTexts } from '#shared/domain/content-labels.ts'

const icons = {
  none: { icon: ShieldCheck, tone: 'text-success' },
  'ask-franchisor': { icon: MessageCircleQuestionMark, tone: 'text-accent-ink' },
  'data-agreement': { icon: FileText, tone: 'text-accent-ink' },
} as const

/** Data that a prompt may be used with. Leads to the list of what never goes into an AI tool. */
export function DataLabelLink({ label }: { label: DataLabel }) {
  const { icon: Icon, tone } = icons[label]
  if (!hasPage(publication, 'safety')) {
    return (
      <span className="inline-flex items-center gap-1.5 font-medium text-ink">
        <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} strokeWidth={1.75} />
        {dataLabelTexts[label]}
      </span>
    )
  }
  return (
    <Link
      to="/portal/safety"
      className="group inline-flex min-h-11 items-center gap-1.5 rounded-sm font-medium text-ink sm:min-h-8 print:min-h-0"
    >
      <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} strokeWidth={1.75} />
      <span className="underline decoration-line-strong underline-offset-4 group-hover:decoration-ink print:no-underline">
        {dataLabelTexts[label]}
      </span>
      <span className="sr-only"> (what never goes into an AI tool)</span>
    </Link>
  )
}
