import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { glossaryQuery } from '#client/features/publishing/content-pages/content-pages.api.ts'
import { groupTerms } from '#client/features/publishing/content-pages/group-terms.ts'
import { TextSkeleton } from '#client/features/publishing/content-pages/text-skeleton.tsx'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { QueryPlaceholder } from '#client/ui/loading.tsx'
import { PageHeading } from '#client/ui/page-parts.tsx'
import { TrustedHtml } from '#client/ui/trusted-html.tsx'
import { useScrollToAnchor } from '#client/ui/use-scroll-to-anchor.ts'
import type { GlossaryTerm } from '#shared/contracts/publishing/content-pages.ts'
import { prefetchContent } from './prefetch-content.ts'

export const loader = prefetchContent((client) => [client.prefetchQuery(glossaryQuery)])

export function Component() {
  const glossary = useQuery(glossaryQuery)
  return (
    <>
      <PageHeading title="Glossary" lede="The terms we use, in plain words." />
      {!glossary.data && <QueryPlaceholder query={glossary} what="the glossary" skeleton={<TextSkeleton />} />}
      {glossary.data && (
        <>
          <Glossary terms={glossary.data.terms} />
          <div className="pt-6">
            <LastChecked on={glossary.data.checkedOn} />
          </div>
        </>
      )}
    </>
  )
}

const anchorOf = (letter: string) => `letter-${letter.toLowerCase()}`

function Glossary({ terms }: { terms: readonly GlossaryTerm[] }) {
  const wanted = useScrollToAnchor()
  const names = new Map(terms.map(({ id, term }) => [id, term]))
  const groups = groupTerms(terms)
  return (
    <>
      <nav aria-label="Letters" className="print:hidden -mx-2 border-b border-line py-2">
        <ul className="flex flex-wrap">
          {groups.map(({ letter }) => (
            <li key={letter}>
              <a
                href={`#${anchorOf(letter)}`}
                className="grid size-[44px] place-items-center rounded-sm font-semibold text-primary hover:bg-sunken"
              >
                {letter}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {groups.map(({ letter, terms: members }) => (
        <section
          key={letter}
          aria-labelledby={anchorOf(letter)}
          className="border-b border-line py-6 sm:grid sm:grid-cols-[4rem_minmax(0,1fr)] sm:py-8 lg:grid-cols-[8rem_minmax(0,1fr)]"
        >
          <h2 id={anchorOf(letter)} className="display text-2xl text-muted sm:text-3xl">
            {letter}
          </h2>
          <div className="mt-3 grid gap-x-12 gap-y-7 sm:mt-1 lg:grid-cols-2">
            {members.map((term) => (
              <Term key={term.id} term={term} isWanted={term.id === wanted} names={names} />
            ))}
          </div>
        </section>
      ))}
    </>
  )
}

type TermProps = { term: GlossaryTerm; isWanted: boolean; names: ReadonlyMap<string, string> }

function Term({ term: { id, term, definitionHtml, seeAlso }, isWanted, names }: TermProps) {
  return (
    <div
      id={id}
      className={clsx(
        '-ml-4 break-inside-avoid border-l-3 pl-[13px]',
        isWanted ? 'border-accent' : 'border-transparent',
      )}
    >
      <h3 className="text-lg font-semibold">{term}</h3>
      <TrustedHtml html={definitionHtml} className="mt-1 text-base leading-relaxed" />
      {seeAlso.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-4 text-sm text-muted print:hidden">
          See also
          {seeAlso.map((other) => (
            <a key={other} href={`#${other}`} className="text-link inline-flex min-h-[44px] min-w-[44px] items-center">
              {names.get(other) ?? other}
            </a>
          ))}
        </p>
      )}
    </div>
  )
}
