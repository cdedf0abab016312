import { Link } from 'react-router'
import { publication } from '#shared/publication.ts'

/** Open to visitors. Names and ends of paths. */
export const openPages = [
  ['How we choose', 'method'],
  ['Safety rules', 'safety'],
  ['Editor', 'editor'],
  ['Corrections', 'corrections'],
] as const
export const memberPages = [
  ['Start here', 'start-here'],
  ['Glossary', 'glossary'],
  ['Your year', 'value'],
  ...openPages,
] as const

const legalNames = { privacy: 'Privacy', terms: 'Terms' } as const
const linkStyles = 'inline-flex min-h-[44px] min-w-[44px] items-center hover:text-ink hover:underline'

export function FooterLinks({ pages }: { pages: readonly (readonly [name: string, page: string])[] }) {
  return (
    <nav aria-label="About" className="flex flex-wrap gap-x-6">
      {pages.map(([name, page]) => (
        <Link key={page} to={`/portal/${page}`} className={linkStyles}>
          {name}
        </Link>
      ))}
      {publication.pages.map((page) => (
        <a key={page} href={`/${page}`} className={linkStyles}>
          {legalNames[page]}
        </a>
      ))}
    </nav>
  )
}
