import { Disclosure } from '#client/ui/page-parts.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import type { AdminDropFeedback } from '#shared/contracts/reader/feedback.ts'
import { formatCount } from '#shared/domain/format-count.ts'

/** Votes on an item, and the reasons that readers gave. */
export function Rating({ rating: { useful, notUseful, whys } }: { rating: AdminDropFeedback['rating'] }) {
  return (
    <>
      <p className="mt-1 text-sm tabular-nums">
        Useful to {useful} of {formatCount(useful + notUseful, 'reader')}
      </p>
      {whys.length > 0 && (
        <Disclosure summary={`Why: ${formatCount(whys.length, 'reason')}`} className="text-sm">
          <ul className="grid measure gap-3 pb-2">
            {whys.map(({ useful: isUseful, why, at }) => (
              <li key={`${at} ${why}`}>
                <span className="font-semibold">{isUseful ? 'Useful' : 'Not useful'}</span>{' '}
                <span className="text-muted">
                  <Timestamp inline at={at} />
                </span>
                <p className="whitespace-pre-line wrap-anywhere">{why}</p>
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  )
}
