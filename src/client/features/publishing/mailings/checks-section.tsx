import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { focusField } from '#client/lib/focus-field.ts'
import { Button } from '#client/ui/button.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import type { ProblemTarget } from '#shared/contracts/publishing/mailing-preview.ts'
import { type CheckedSource, checksQuery } from './email-preview.api.ts'

/** Link to fix a missing postal address, the one error that can't be accepted. */
export const PostalAddressLink = () => (
  <Link to="/admin/newsletter/settings" className="text-link text-sm">
    Add it in newsletter settings
  </Link>
)

type TargetLinkProps = { target: ProblemTarget; children: string }

const linkLook = 'text-link inline-flex min-h-11 items-center text-left sm:min-h-8'

/** Links to the field and line to fix: on this page, in the editor, or in the content block. */
function TargetLink({ target, children }: TargetLinkProps) {
  if (target.in === 'mailing') {
    const { field, line } = target
    return (
      <button type="button" className={linkLook} onClick={() => focusField(`mailing.${field}`, line)}>
        {children}
      </button>
    )
  }
  const line = target.line === null ? '' : `&line=${target.line}`
  const address =
    target.in === 'block'
      ? `/admin/content/blocks?block=${target.id}${line}`
      : `/admin/content/drops/${target.id}?field=${target.field}${line}`
  return (
    <Link to={address} className={linkLook}>
      {children}
    </Link>
  )
}

/** Problems to fix before sending, each with its position. */
export function ChecksSection({ email }: { email: CheckedSource }) {
  const { data, isError, isFetching, refetch } = useQuery(checksQuery(email))
  return (
    <Section
      title="Checks"
      lede="Links, images, placeholders, size, dark mode, and your domain’s email authentication."
    >
      <div role="status">
        {!data && (
          <p className="text-muted">{isError ? 'We couldn’t run the checks. Try again.' : 'Checking links…'}</p>
        )}
        {data?.problems.length === 0 && (
          <p className="flex items-center gap-3 font-semibold">
            <CircleCheck aria-hidden className="size-5 text-success" strokeWidth={1.75} />
            No problems found.
          </p>
        )}
      </div>
      {data && data.problems.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {data.problems.map(({ severity, check, message, place, target }) => (
            <li key={`${check} ${place} ${message}`} className="flex gap-3 py-3">
              {severity === 'error' ? (
                <CircleAlert aria-label="Error" className="mt-0.5 size-5 shrink-0 text-danger" strokeWidth={1.75} />
              ) : (
                <TriangleAlert
                  aria-label="Warning"
                  className="mt-0.5 size-5 shrink-0 text-accent-ink"
                  strokeWidth={1.75}
                />
              )}
              <div className="min-w-0 [overflow-wrap:anywhere]">
                <p>{message}</p>
                {place && (
                  <p className="text-sm text-muted">
                    {target ? <TargetLink target={target}>{place}</TargetLink> : place}
                  </p>
                )}
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
