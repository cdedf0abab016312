import { Bookmark, SlidersHorizontal } from 'lucide-react'
import { Link } from 'react-router'
import { Banner } from '#client/ui/banner.tsx'
import type { Personalization } from '#shared/contracts/personalization.ts'

type PersonalizationBannerProps = {
  title: 'Recommended for You' | 'Curated for You'
  personalization: Personalization
}

/** Explains the order of the list below; without preferences, links to the preferences page. */
export function PersonalizationBanner({ title, personalization }: PersonalizationBannerProps) {
  const { preferences, recommendations, contextLabels } = personalization
  if (preferences.focusAreas.length === 0) {
    return (
      <Banner title={title} icon={SlidersHorizontal} className="mt-6">
        <p>
          You haven’t set your preferences yet, so content is in its default order.{' '}
          <Link to="/account/preferences" className="text-link">
            Set your preferences
          </Link>{' '}
          to move matching content to the top.
        </p>
      </Banner>
    )
  }
  return (
    <Banner
      title={title}
      icon={Bookmark}
      className="mt-6"
      aside={[contextLabels.focus, contextLabels.aiLevel].filter(Boolean).join('\u00a0· ')}
      action={
        <Link to="/account/preferences" className="text-link -my-3 inline-flex min-h-11 items-center text-sm">
          Change
          <span className="sr-only"> your preferences</span>
        </Link>
      }
    >
      {recommendations.labels.length > 0 && (
        <ul className="grid gap-x-6 sm:grid-cols-2">
          {recommendations.labels.map((label) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )}
    </Banner>
  )
}
