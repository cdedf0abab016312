import { ArrowRight } from 'lucide-react'
import { Link } from 'react-router'
import type { ItemMarks } from '#shared/contracts/reader/item-marks.ts'
import { sectionAnchor } from '#shared/domain/section-anchor.ts'

type ContinueReadingProps = { issue: NonNullable<ItemMarks['continueReading']> }

/** One line that leads to where the reader stopped. */
export function ContinueReading({ issue: { slug, title, section } }: ContinueReadingProps) {
  return (
    <Link
      to={{ pathname: `/portal/weekly-drops/${slug}`, hash: sectionAnchor(section.id) }}
      className="group flex min-h-12 min-w-0 grow items-center gap-3 py-2 text-sm leading-snug"
    >
      <span className="min-w-0 grow">
        <span className="font-semibold">Continue:</span>{' '}
        <span className="group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
          {section.heading}
        </span>
        <span className="text-muted max-sm:hidden"> in {title}</span>
      </span>
      <ArrowRight aria-hidden className="size-4.5 shrink-0 text-primary" strokeWidth={1.75} />
    </Link>
  )
}
