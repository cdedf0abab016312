import type { ReactNode } from 'react'
import { publication } from '#client/lib/publication.ts'
import { ThemeSwitch } from '#client/ui/theme-switch.tsx'
import { HeaderBrand } from './header-brand.tsx'
import { FooterLinks, PageLinks } from './page-links.tsx'

/** Header, main and footer of the public pages; `nav` goes at the right of the header. */
export function SiteFrame({ nav, children }: { nav?: ReactNode; children: ReactNode }) {
  // Signing in has its own button.
  const links = publication.navigation.header?.filter(({ href }) => href !== '/auth')
  return (
    <div className="flex min-h-dvh flex-col print:block print:min-h-0">
      <header className="masthead @container relative border-b border-line print:hidden">
        <div className="page flex min-h-[64px] items-center gap-x-3 @max-[21rem]:flex-wrap">
          <HeaderBrand to="/" destination="home" />
          {nav}
        </div>
        {links && links.length > 0 && (
          <PageLinks label="Site" links={links} className="page pb-1 text-sm font-semibold" />
        )}
      </header>
      <main id="main" tabIndex={-1} className="grow">
        {children}
      </main>
      <footer className="border-t border-line print:hidden">
        <div className="page flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-8 text-sm text-muted">
          <FooterLinks links={publication.navigation.footer} />
          <ThemeSwitch />
          <p className="basis-full">
            {publication.footer} {publication.name}. {publication.tagline}.
          </p>
        </div>
      </footer>
    </div>
  )
}
