import { clsx } from 'clsx'
import { Bookmark } from 'lucide-react'
import { useEffect } from 'react'
import { CopyableHtml } from '#client/ui/copyable-html.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { Tag } from '#client/ui/tag.tsx'
import type { FullIssue } from '#shared/contracts/issues.ts'
import { formatDay } from '#shared/domain/format-days-and-lists.ts'
import { aiLevelLabels } from '#shared/domain/preferences.ts'
import type { Reader } from '#shared/domain/reader.ts'
import { type OrderedSection, orderSections } from './order-sections.ts'

type IssueArticleProps = { issue: FullIssue; reader: Reader }

export function IssueArticle({ issue, reader }: IssueArticleProps) {
  const sections = orderSections(issue.sections, reader)

  // The browser can't scroll to a linked section on its own, since the text loads later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: not again when the preferences change
  useEffect(() => {
    const wanted = window.location.hash.slice(1)
    if (!wanted) return
    const anchor = sections.find(({ earlierAnchor }) => earlierAnchor === wanted)?.anchor ?? wanted
    document.getElementById(anchor)?.scrollIntoView()
  }, [])

  return (
    <article>
      <header>
        <p className="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
          <time dateTime={issue.date}>{formatDay(issue.date)}</time>
          <span aria-hidden>·</span>
          <span>{issue.readingMinutes} min read</span>
        </p>
        <h1 className="display mt-3 max-w-[22ch] text-3xl sm:text-4xl">{issue.title}</h1>
        <p className="mt-4 measure text-lg text-balance text-muted">{issue.preview}</p>
        <ul aria-label="Tags" className="mt-4 mb-6 flex flex-wrap gap-2">
          {issue.tags.map((tag) => (
            <li key={tag}>
              <Tag tone={reader.focusAreas.includes(tag) ? 'accent' : 'plain'}>{tag}</Tag>
            </li>
          ))}
        </ul>
        <div aria-hidden className="rule-double" />
      </header>
      <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-12">
        <Contents sections={sections} />
        <div className="measure pb-4 text-[1.0625rem] lg:text-lg">
          <CopyableHtml html={issue.introHtml} className="dropcap pt-8" />
          {sections.map((section) => (
            <Section key={section.anchor} section={section} />
          ))}
          {issue.closingHtml && (
            <div className="mt-12 border-t border-line pt-8">
              <CopyableHtml html={issue.closingHtml} />
            </div>
          )}
        </div>
      </div>
    </article>
  )
}

function Contents({ sections }: { sections: OrderedSection[] }) {
  return (
    <nav aria-label="In this drop" className="print:hidden border-b border-line pt-6 pb-6 lg:border-0 lg:pt-9">
      <div className="lg:sticky lg:top-8">
        <p className="text-sm font-semibold">In this drop</p>
        <ol className="mt-2 text-sm">
          {sections.map((section) => (
            <li key={section.anchor} className="border-t border-line first:border-0 lg:first:border-t">
              <a href={`#${section.anchor}`} className="group flex min-h-11 items-center gap-3 py-2">
                {/* Marks sections that the reader's preferences moved up. The first one states its reason. */}
                <span
                  aria-hidden
                  className={clsx('size-2 shrink-0 rounded-full', section.isMovedUp ? 'bg-accent' : 'bg-line')}
                />
                <span className="grow group-hover:text-primary group-hover:underline group-hover:underline-offset-4">
                  {section.heading}
                </span>
                <span className="shrink-0 text-muted tabular-nums">{section.minutes} min</span>
              </a>
            </li>
          ))}
        </ol>
      </div>
    </nav>
  )
}

function Section({ section }: { section: OrderedSection }) {
  return (
    <section aria-labelledby={section.anchor} className="mt-12 border-t border-line pt-8">
      {section.reason && (
        <p className="mb-2 flex items-center gap-2 text-sm font-medium text-accent-ink">
          <Bookmark aria-hidden className="size-4 shrink-0 fill-accent text-accent" strokeWidth={1.75} />
          {section.reason}
        </p>
      )}
      <h2 id={section.anchor} className="display text-2xl">
        {section.heading}
      </h2>
      <p className="mt-1 text-sm text-muted tabular-nums">
        {section.minutes} min · {aiLevelLabels[section.aiLevel].title} · {section.focusAreas.join(', ')}
      </p>
      <p className="mt-3 text-lg text-muted">{section.summary}</p>
      <CopyableHtml html={section.html} className="mt-5" />
    </section>
  )
}

export function IssueSkeleton() {
  return (
    <div>
      <SkeletonText lines={1} className="w-40" />
      <SkeletonText lines={2} height="h-10 sm:h-13" className="mt-3 max-w-xl" />
      <SkeletonText lines={2} height="h-7" className="mt-4 measure" />
      <Skeleton className="mt-4 mb-6 h-5 w-44" />
      <div className="rule-double" />
      <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-12">
        <SkeletonText lines={6} height="h-11" className="pt-9" />
        <div className="measure">
          <SkeletonText lines={5} height="h-7" className="pt-8" />
          <SkeletonText lines={7} height="h-7" className="mt-12" />
        </div>
      </div>
    </div>
  )
}
