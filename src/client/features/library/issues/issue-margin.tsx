import { Link } from 'react-router'
import type { FullIssue } from '#shared/contracts/library/issues.ts'
import type { OrderedSection } from './order-sections.ts'

type IssueMarginProps = {
  sections: readonly OrderedSection[]
  readSections: ReadonlySet<string>
  prompts: FullIssue['prompts']
}

/** Beside the text on wide screens: how much is left, and the prompts of the drop. */
export function IssueMargin({ sections, readSections, prompts }: IssueMarginProps) {
  const unread = sections.filter(({ id }) => !readSections.has(id))
  const minutes = unread.reduce((sum, section) => sum + section.minutes, 0)
  return (
    <div className="hidden xl:sticky xl:top-6 xl:block print:hidden">
      <p className="text-sm font-semibold tabular-nums">
        {unread.length === 0 ? 'All done' : `${minutes} min${readSections.size > 0 ? ' left' : ''}`}
      </p>
      <p className="text-sm text-muted tabular-nums">
        {sections.length - unread.length} of {sections.length} {sections.length === 1 ? 'section' : 'sections'} read
      </p>
      {/* A segment for each section, in the order of the page. */}
      <div aria-hidden className="mt-2.5 flex gap-0.5">
        {sections.map(({ id }) => (
          <span key={id} className={`h-1 grow ${readSections.has(id) ? 'bg-success' : 'bg-line'}`} />
        ))}
      </div>
      <DropPrompts sections={sections} prompts={prompts} className="mt-8" />
    </div>
  )
}

type DropPromptsProps = Omit<IssueMarginProps, 'readSections'> & { className?: string }

/** The prompts to copy in this drop, and those of the packs that it links to. */
export function DropPrompts({ sections, prompts, className }: DropPromptsProps) {
  const quoted = sections.filter(({ html }) => html.includes('data-prompt='))
  if (quoted.length === 0 && prompts.length === 0) return null
  return (
    <nav aria-label="Prompts to copy" className={className}>
      <p className="pb-1 text-sm font-semibold">Prompts to copy</p>
      <ul className="text-sm">
        {quoted.map(({ anchor, heading }) => (
          <PromptLink key={anchor} to={`#${anchor}`} title={heading || 'In the text'} note="Copy it here" />
        ))}
        {prompts.map(({ id, title }) => (
          <PromptLink key={id} to={`/portal/prompt-packs#${id}`} title={title} note="From the packs" />
        ))}
      </ul>
    </nav>
  )
}

const PromptLink = ({ to, title, note }: { to: string; title: string; note: string }) => (
  <li className="border-t border-line">
    <Link to={to} className="group block min-h-11 py-2 leading-snug">
      <span className="group-hover:text-primary group-hover:underline group-hover:underline-offset-4">{title}</span>
      <span className="block text-xs text-muted">{note}</span>
    </Link>
  </li>
)
