import type { Tool } from '#shared/contracts/library/library.ts'
import { splitFirstSentence } from '#shared/domain/first-sentence.ts'

/** The tools of the page like a menu board: what each is for, and its price in brief. */
export function ToolContents({ tools }: { tools: readonly Tool[] }) {
  return (
    <nav aria-label="Tools on this page" className="@container py-3 text-sm print:hidden">
      <ul className="gap-x-12 lg:grid lg:grid-cols-2">
        {tools.map((tool) => (
          <li key={tool.id}>
            <a
              href={`#${tool.id}`}
              className="group flex min-h-11 flex-wrap items-baseline justify-between gap-x-4 py-2 leading-snug @min-[16rem]:flex-nowrap max-sm:border-b max-sm:border-line sm:gap-x-0"
            >
              <span className="min-w-0">
                <span className="font-semibold group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
                  {tool.name}
                </span>{' '}
                <span className="text-muted max-sm:block sm:ml-1">{tool.category}</span>
              </span>
              <span
                aria-hidden
                className="mx-2 min-w-3 grow self-start border-b-2 max-sm:hidden border-dotted border-line-strong pt-3.5"
              />
              <span className="max-w-[55%] text-balance @max-[16rem]:max-w-none @max-[16rem]:basis-full text-right">
                {splitFirstSentence(tool.priceNote).first.replace(/\.$/, '')}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
