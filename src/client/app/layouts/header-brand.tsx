import { clsx } from 'clsx'
import { Link } from 'react-router'
import { SandboxBadge } from '#client/ui/sandbox-badge.tsx'
import { Wordmark } from '#client/ui/wordmark.tsx'
import { publication } from '#shared/publication.ts'

type HeaderBrandProps = { to: string; destination: string; className?: string }

/** The wordmark as a link, and the sandbox badge, which is below it on a phone. Needs a container around the header. */
export function HeaderBrand({ to, destination, className }: HeaderBrandProps) {
  return (
    <div className="flex items-center gap-x-3 @max-[25rem]:flex-col @max-[25rem]:items-start">
      <Link
        to={to}
        aria-label={`${publication.name}, ${destination}`}
        className={clsx('inline-flex min-h-[44px] min-w-[44px] items-center rounded-sm', className)}
      >
        <Wordmark name={publication.name} />
      </Link>
      <span className="pointer-events-none inline-flex @max-[25rem]:-mt-[6px]">
        <SandboxBadge />
      </span>
    </div>
  )
}
