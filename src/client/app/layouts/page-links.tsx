import { clsx } from 'clsx'
import { Link } from 'react-router'
import { publication } from '#client/lib/publication.ts'
import type { LegalPage, SiteLink } from '#shared/publication-defaults.ts'

const legalNames: Readonly<Record<LegalPage, string>> = {
  privacy: 'Privacy',
  terms: 'Terms',
  accessibility: 'Accessibility',
  withdraw: 'Withdraw from contract here',
}

type PageLinksProps = { label: string; links: readonly SiteLink[]; className?: string }

/** Pages outside the portal are rendered on the server, so the browser loads them. */
export const PageLinks = ({ label, links, className }: PageLinksProps) => (
  <nav aria-label={label} className={clsx('flex flex-wrap gap-x-6', className)}>
    {links.map(({ label: name, href }) => (
      <Link
        key={href}
        to={href}
        reloadDocument={!href.startsWith('/portal')}
        className="inline-flex min-h-[44px] min-w-[44px] items-center [overflow-wrap:anywhere] hover:text-ink hover:underline"
      >
        {name}
      </Link>
    ))}
  </nav>
)

/** The legal pages follow, once they have a text or are on. */
export function FooterLinks({ links }: { links: readonly SiteLink[] }) {
  const legal = publication.pages
    .map((page): SiteLink => ({ label: legalNames[page], href: `/${page}` }))
    .filter(({ href }) => !links.some((link) => link.href === href))
  return <PageLinks label="About" links={[...links, ...legal]} />
}
