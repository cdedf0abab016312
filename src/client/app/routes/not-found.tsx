import { useQuery } from '@tanstack/react-query'
import { ConciergeBell } from 'lucide-react'
import { Link } from 'react-router'
import { useSubscription } from '#client/features/billing/subscriptions/billing.api.ts'
import { issuesQuery } from '#client/features/library/issues/issues.api.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Button, ButtonAnchor, ButtonLink } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/form.tsx'

export function Component() {
  const { subscription } = useSubscription()
  return (
    <div className="page py-20 sm:py-28">
      <ConciergeBell aria-hidden className="size-8 text-primary" strokeWidth={1.5} />
      <p className="mt-4 font-semibold text-accent-ink">404</p>
      <h1 className="display mt-2 text-3xl sm:text-4xl">Oops! Page not found</h1>
      <p className="mt-4 max-w-[62ch] text-lg text-muted">Check the address for typos. The page may also have moved.</p>
      {subscription.subscribed ? <ForMembers /> : <ForVisitors />}
    </div>
  )
}

function ForMembers() {
  const { data: issues } = useQuery(issuesQuery)
  const newest = issues?.[0]
  return (
    <>
      <search>
        <form action="/portal/search" className="mt-8 flex max-w-xl flex-wrap items-end gap-3">
          <TextField fieldClassName="min-w-0 grow" label="Search the portal" type="search" name="q" />
          <Button type="submit" variant="secondary">
            Search
          </Button>
        </form>
      </search>
      <p className="mt-6 min-h-12 max-w-[62ch]">
        {newest && (
          <>
            {ownWords`The newest drop:`}{' '}
            <Link to={`/portal/weekly-drops/${newest.slug}`} className="text-link">
              {newest.title}
            </Link>
          </>
        )}
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink to="/portal">{publication.labels.enterPortal}</ButtonLink>
        <ButtonLink to="/" variant="secondary">
          Return to Home
        </ButtonLink>
      </div>
    </>
  )
}

const ForVisitors = () => (
  <div className="mt-8 flex flex-wrap gap-3">
    <ButtonLink to="/">Return to Home</ButtonLink>
    <ButtonAnchor href="/drops" variant="secondary">{ownWords`Read the newest drops`}</ButtonAnchor>
  </div>
)
