import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <p className="pt-2 pb-6">
      <Link to={to} className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-sm text-muted hover:text-ink">
        <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
        {children}
      </Link>
    </p>
  )
}
