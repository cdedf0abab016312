import { ConciergeBell } from 'lucide-react'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'

type HeaderBrandProps = { to: string; destination: string }

/**
 * The wordmark as a link, and the sandbox badge: beside it, or below it on a phone. There the wordmark starts at the top, so
 * that the badge doesn't move it. Buttons have priority over both. Needs a container around the header.
 */
export function HeaderBrand({ to, destination }: HeaderBrandProps) {
  return (
    <div className="flex min-w-[44px] shrink-[999] items-center gap-x-3 @max-[21rem]:basis-full @max-[25rem]:flex-col @max-[25rem]:items-start @max-[25rem]:in-data-[mode=sandbox]:self-start @max-[25rem]:in-data-[mode=sandbox]:py-0.5">
      <Link
        to={to}
        aria-label={`${publication.name}, ${destination}`}
        className="inline-flex min-h-[44px] min-w-[44px] max-w-full items-center rounded-sm"
      >
        <Wordmark name={publication.name} />
      </Link>
      <span className="pointer-events-none inline-flex shrink-0 @max-[25rem]:-mt-[6px]">
        <SandboxBadge />
      </span>
    </div>
  )
}

/** The publication's logo and name, as shown in every header. */
function Wordmark({ name }: { name: string }) {
  const { logo, logoDark } = publication
  return (
    <span className="wordmark display inline-flex min-w-0 items-center gap-2 text-xl text-ink @max-[25rem]:gap-1">
      {logo ? (
        <>
          <img {...logo} data-logo="light" alt="" />
          {logoDark && <img {...logoDark} data-logo="dark" alt="" />}
        </>
      ) : (
        <ConciergeBell aria-hidden className="size-6 shrink-0 text-primary" strokeWidth={1.75} />
      )}
      {!publication.hidesName && (
        <span data-name="" dir="auto" className="line-clamp-2">
          {name}
        </span>
      )}
    </span>
  )
}

/** Shows that payments and emails are simulated. Visible only with `<html data-mode="sandbox">`. */
function SandboxBadge() {
  return (
    <span className="sandbox-badge items-center rounded-sm border border-line-strong px-1.5 text-xs font-medium text-muted">
      Sandbox
    </span>
  )
}
