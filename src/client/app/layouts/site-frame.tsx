import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { SandboxBadge } from '#client/ui/sandbox-badge.tsx'
import { ThemeSwitch } from '#client/ui/theme-switch.tsx'
import { Wordmark } from '#client/ui/wordmark.tsx'
import { publication } from '#shared/publication.ts'

/** Banner, main and footer of the public pages; `nav` stands at the right of the banner. */
export function SiteFrame({ nav, children }: { nav?: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="group @container relative border-b border-line">
        <div className="page flex min-h-[64px] items-center gap-x-3">
          {/* Beside two buttons a small phone has room for the bell alone; the link keeps its name. A stored session
              (theme.js) makes that room before it is read, so that nothing moves. */}
          <Link
            to="/"
            aria-label={`${publication.name}, home`}
            className="inline-flex min-h-[44px] min-w-[44px] items-center rounded-sm @max-[27rem]:group-has-data-wide:[&_[data-name]]:hidden @max-[27rem]:in-data-session:[&_[data-name]]:hidden @max-[16rem]:group-has-[nav]:[&_[data-name]]:hidden"
          >
            <Wordmark name={publication.name} />
          </Link>
          {/* Where the line is full, a tab under its end. */}
          <span className="inline-flex @max-[23.75rem]:group-has-[nav]:hanging-badge @max-[25rem]:group-has-data-wide:hanging-badge @max-[25rem]:in-data-session:hanging-badge @max-[16rem]:hanging-badge">
            <SandboxBadge />
          </span>
          {nav}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="grow">
        {children}
      </main>
      <footer className="border-t border-line">
        <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-8 text-sm text-muted">
          <p>
            {publication.footer} {publication.name}. {publication.tagline}.
          </p>
          <ThemeSwitch />
        </div>
      </footer>
    </div>
  )
}
