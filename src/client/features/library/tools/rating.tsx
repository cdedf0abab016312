import { Star } from 'lucide-react'

const maxRating = 5
const stars = [1, 2, 3, 4, 5] as const

export const ratingText = (rating: number | null) =>
  rating === null ? 'Not rated yet' : `${rating.toFixed(1)} / ${maxRating.toFixed(1)}`

export function Rating({ rating }: { rating: number | null }) {
  return (
    <p className="flex items-center gap-2 text-sm text-muted">
      {rating !== null && (
        <span aria-hidden className="relative inline-flex">
          <StarRow className="text-line-strong" />
          <span
            className="absolute inset-y-0 left-0 overflow-hidden"
            // The content security policy allows styles set by script, but not style attributes.
            ref={(element) =>
              element?.style.setProperty('width', `${Math.min(1, Math.max(0, rating / maxRating)) * 100}%`)
            }
          >
            <StarRow className="fill-accent text-accent" />
          </span>
        </span>
      )}
      <span className="tabular-nums">{ratingText(rating)}</span>
    </p>
  )
}

function StarRow({ className }: { className: string }) {
  return (
    <span className="flex w-max gap-0.5">
      {stars.map((star) => (
        <Star key={star} className={`size-3.5 ${className}`} strokeWidth={1.75} />
      ))}
    </span>
  )
}
