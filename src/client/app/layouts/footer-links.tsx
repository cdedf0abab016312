import { Link } from 'react-router'
import { publication } from '#shared/publication.ts'

type PageLink = readonly [name: string, path: string]

/** Open to visitors, in the portal. */
const trustPages: readonly PageLink[] = [
  ['How we choose', '/portal/method'],
  ['Safety rules', '/portal/safety'],
  ['Editor', '/portal/editor'],
  ['Corrections', '/portal/corrections'],
]
export const openPages: readonly PageLink[] = [['Drops', '/drops'], ['Glossary', '/glossary'], ...trustPages]
export const memberPages: readonly PageLink[] = [
  ['Start here', '/portal/start-here'],
  ['Glossary', '/portal/glossary'],
  ['Your year', '/portal/value'],
  ...trustPages,
]

const legalNames = { privacy: 'Privacy', terms: 'Terms' } as const

/** Pages outside the portal are rendered on the server, so the browser loads them. */
export function FooterLinks({ pages }: { pages: readonly PageLink[] }) {
  const legal = publication.pages.map((page): PageLink => [legalNames[page], `/${page}`])
  return (
    <nav aria-label="About" className="flex flex-wrap gap-x-6">
      {[...pages, ...legal].map(([name, path]) => (
        <Link
          key={path}
          to={path}
          reloadDocument={!path.startsWith('/portal')}
          className="inline-flex min-h-[44px] min-w-[44px] items-center hover:text-ink hover:underline"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
