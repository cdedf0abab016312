import { BookOpen, FileText, ListOrdered, Newspaper, TextQuote, Wrench } from 'lucide-react'
import { ownWords } from '#client/lib/publication.ts'
import type { MarkedText as Marked, SearchResult } from '#shared/contracts/library/search.ts'
import { formatDay } from '#shared/domain/format.ts'

const kinds = {
  issue: { icon: Newspaper, label: ownWords`Drop` },
  section: { icon: ListOrdered, label: 'Section' },
  prompt: { icon: TextQuote, label: 'Prompt' },
  guide: { icon: BookOpen, label: 'Guide' },
  tool: { icon: Wrench, label: 'Tool' },
  page: { icon: FileText, label: 'Page' },
} as const

/** Text inside a result's link: kind, title, where it is, and why it was found. */
export function ResultText({ result }: { result: SearchResult }) {
  const { icon: Icon, label } = kinds[result.kind]
  const { parentTitle, day } = result
  return (
    <>
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />
      <span className="min-w-0 grow wrap-anywhere">
        <span className="sr-only">{label}: </span>
        <span className="block leading-snug font-semibold">
          <MarkedText value={result.title} />
        </span>
        {result.excerpt.text && (
          <span data-excerpt className="mt-1 line-clamp-2 text-sm text-muted">
            <MarkedText value={result.excerpt} />
          </span>
        )}
        {(parentTitle || day) && (
          <span className="mt-1 block text-xs text-muted tabular-nums">
            {parentTitle}
            {parentTitle && day && '\u00a0· '}
            {day && <span className="whitespace-nowrap">{formatDay(day)}</span>}
          </span>
        )}
      </span>
    </>
  )
}

/** Text with its matches in <mark>. The text is never read as HTML. */
function MarkedText({ value: { text, marks } }: { value: Marked }) {
  return marks
    .flatMap(([start, end], index) => [
      text.slice(marks[index - 1]?.[1] ?? 0, start),
      <mark key={start} className="rounded-xs bg-accent-soft text-inherit">
        {text.slice(start, end)}
      </mark>,
    ])
    .concat(text.slice(marks.at(-1)?.[1] ?? 0))
}
