import { clsx } from 'clsx'
import { Bookmark, SlidersHorizontal } from 'lucide-react'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import { Skeleton } from '#client/ui/loading.tsx'
import type { Personalization } from '#shared/contracts/reader/personalization.ts'

type PersonalizationBannerProps = {
  title: 'Recommended for You' | 'Curated for You'
  personalization: Personalization
  className?: string
}

/** One line that explains the order of the list below; without preferences, links to the preferences page. */
export function PersonalizationBanner({ title, personalization, className }: PersonalizationBannerProps) {
  if (publication.questions.focusAreas?.off) return null
  const { focus, aiLevel } = personalization.contextLabels
  const isSet = personalization.preferences.focusAreas.length > 0
  const Icon = isSet ? Bookmark : SlidersHorizontal
  return (
    <section
      aria-label={title}
      className={clsx(
        'flex min-h-12 flex-wrap items-center gap-x-3 border-l-3 border-accent bg-accent-soft px-[16px] py-0.5 text-sm max-sm:gap-x-2 max-sm:pr-2 max-sm:pl-3 max-sm:text-xs leading-snug print:hidden',
        className,
      )}
    >
      <Icon aria-hidden className="size-5 shrink-0 text-accent-ink max-sm:hidden" strokeWidth={1.75} />
      <div className="min-w-0 grow basis-40">
        <h2 className="inline font-semibold">{title}</h2>
        <span className="max-sm:hidden"> · </span>
        <span className="text-accent-ink max-sm:block">
          {isSet ? `${focus} first` : 'You haven’t set your preferences yet'}
        </span>
        {isSet && aiLevel && <span className="text-accent-ink max-sm:hidden"> · {aiLevel}</span>}
      </div>
      <Link
        to="/account/preferences"
        className="text-link inline-flex min-h-[44px] min-w-[44px] shrink-0 items-center justify-end"
      >
        {isSet ? 'Change' : 'Set'}
        <span className="sr-only"> your preferences</span>
      </Link>
    </section>
  )
}

/** A placeholder of the banner's height. */
export function PersonalizationBannerSkeleton() {
  return <Skeleton className="mt-6 h-12 rounded-none max-sm:mt-2" />
}
