import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { Button } from '#client/ui/button.tsx'
import { Section } from '#client/ui/section.tsx'
import { checksQuery } from './newsletter.api.ts'

/** Where the one error is mended that nobody can send with. */
export const PostalAddressLink = () => (
  <Link to="/admin/newsletter/settings" className="text-link text-sm">
    Add it in newsletter settings
  </Link>
)

/** What to mend before sending, each with its place in the text. */
export function ChecksSection({ id, version }: { id: string; version: number }) {
  const { data, isError, isFetching, refetch } = useQuery(checksQuery(id, version))
  return (
    <Section
      title="Checks"
      lede="Links, pictures, placeholders, size, dark mode, and how your domain vouches for the mail."
    >
      <div role="status">
        {!data && (
          <p className="text-muted">{isError ? 'The checks could not be made just now.' : 'Looking at every link…'}</p>
        )}
        {data?.problems.length === 0 && (
          <p className="flex items-center gap-3 font-semibold">
            <CircleCheck aria-hidden className="size-5 text-primary" strokeWidth={1.75} />
            Nothing to mend.
          </p>
        )}
      </div>
      {data && data.problems.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {data.problems.map(({ severity, check, message, place }) => (
            <li key={`${check} ${place} ${message}`} className="flex gap-3 py-3">
              {severity === 'error' ? (
                <CircleAlert aria-label="Mend this" className="mt-0.5 size-5 shrink-0 text-danger" strokeWidth={1.75} />
              ) : (
                <TriangleAlert
                  aria-label="Have a look"
                  className="mt-0.5 size-5 shrink-0 text-accent-ink"
                  strokeWidth={1.75}
                />
              )}
              <div className="min-w-0 [overflow-wrap:anywhere]">
                <p>{message}</p>
                {place && <p className="text-sm text-muted">{place}</p>}
                {check === 'postal-address' && <PostalAddressLink />}
              </div>
            </li>
          ))}
        </ul>
      )}
      <Button variant="secondary" className="mt-4" pending={isFetching} onClick={() => void refetch()}>
        Check again
      </Button>
    </Section>
  )
}
