import type { MarkedText as Marked } from '#shared/contracts/search.ts'

/** Text with its matches in <mark>. The text is never read as HTML. */
export function MarkedText({ value: { text, marks } }: { value: Marked }) {
  return marks
    .flatMap(([start, end], index) => [
      text.slice(marks[index - 1]?.[1] ?? 0, start),
      <mark key={start} className="rounded-xs bg-accent-soft text-inherit">
        {text.slice(start, end)}
      </mark>,
    ])
    .concat(text.slice(marks.at(-1)?.[1] ?? 0))
}
