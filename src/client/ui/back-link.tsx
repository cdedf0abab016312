import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'

/** Leads to the list that a page belongs to. Comes before the page’s heading, and close to it. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <p className="-mb-6 pt-4 sm:-mb-10 print:hidden">
      <Link to={to} className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-sm text-muted hover:text-ink">
        <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
        {children}
      </Link>
    </p>
  )
}
