import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigationType } from 'react-router'
import type { RenderItem } from '#client/lib/item-marks.ts'
import { isOpenedAnew } from '#client/lib/opened-anew.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { CopyableHtml } from '#client/ui/copyable-html.tsx'
import { LastChecked } from '#client/ui/last-checked.tsx'
import { Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { useRestAfterPaint } from '#client/ui/use-rest-after-paint.ts'
import type { FullIssue } from '#shared/contracts/library/issues.ts'
import type { ItemMark } from '#shared/contracts/reader/item-marks.ts'
import { formatDay } from '#shared/domain/format.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import type { Reader } from '#shared/domain/reader.ts'
import { IssueContents } from './issue-contents.tsx'
import { Lead, type SectionSlots, StandAlone } from './issue-section.tsx'
import { groupLead, type OrderedSection, orderSections } from './order-sections.ts'
import { useReadingPosition } from './use-reading-position.ts'

/**
 * Scrolls to the section in the URL and moves the focus there: when the text has loaded, and after each click on a link to
 * a section. Back and forward keep the position that the browser restored.
 */
function useScrollToSection(sections: readonly OrderedSection[]) {
  const { hash, key } = useLocation()
  const navigation = useNavigationType()
  const isLoaded = useRef(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once per navigation, not when the preferences change
  useEffect(() => {
    const isFirst = !isLoaded.current
    isLoaded.current = true
    const wanted = hash.slice(1)
    if (!wanted || (!isFirst && navigation === 'POP')) return
    const anchor = sections.find(({ earlierAnchor }) => earlierAnchor === wanted)?.anchor ?? wanted
    const heading = document.getElementById(anchor)
    heading?.scrollIntoView()
    heading?.focus({ preventScroll: true })
  }, [hash, key])
}

type IssueArticleProps = SectionSlots & {
  issue: FullIssue
  reader: Reader
  /** The reader's marks on the issue and its sections. */
  marks?: readonly ItemMark[]
  /** Signs the editor's note. */
  editor?: string | null
  /** Stores where the reader is; not in a preview. */
  followsReader?: boolean
  /** Between the title and the text. */
  belowHeader?: ReactNode
  /** Below the text. */
  end?: ReactNode
}

export function IssueArticle({
  issue,
  reader,
  marks = [],
  editor = null,
  followsReader = false,
  belowHeader,
  end,
  ...slots
}: IssueArticleProps) {
  const sections = orderSections(issue.sections, reader)
  const units = groupLead(sections)
  const isPost = !sections.some(({ heading }) => heading)
  const { franchiseType } = reader
  const readSections = new Set(marks.flatMap(({ kind, id, readAt }) => (kind === 'section' && readAt ? [id] : [])))
  const [isComplete] = useRestAfterPaint(!useStartsAtTop())
  useScrollToSection(sections)
  useReadingPosition(followsReader ? issue.id : null, sections, issueEndId)

  return (
    <article>
      <IssueHeader issue={issue} focusAreas={reader.focusAreas} renderActions={slots.renderActions} />
      {belowHeader}
      <div
        className={
          isPost
            ? ''
            : 'lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-14 xl:grid-cols-[16rem_minmax(0,1fr)_13rem] xl:gap-x-10'
        }
      >
        {!isPost && <IssueContents units={units} readSections={readSections} />}
        <div className="measure pb-4 text-[1.0625rem] lg:col-start-2 lg:text-lg">
          {issue.editorNote && <EditorNote note={issue.editorNote} editor={editor} />}
          {issue.introHtml && <CopyableHtml html={issue.introHtml} className="dropcap pt-8" />}
          {issue.worthHtml && <Worth html={issue.worthHtml} />}
          {(isComplete ? units : units.slice(0, 1)).map((unit) =>
            unit[0].partOfLead ? (
              <Lead
                key={unit[0].anchor}
                steps={unit}
                isComplete={isComplete}
                franchiseType={franchiseType}
                {...slots}
              />
            ) : (
              <StandAlone
                key={unit[0].anchor}
                section={unit[0]}
                franchiseType={franchiseType}
                title={issue.title}
                {...slots}
              />
            ),
          )}
          <DropPrompts sections={sections} prompts={issue.prompts} className="mt-12 xl:hidden print:hidden" />
          <IssueEnd issue={issue} />
          {end}
        </div>
        {!isPost && (
          <div className="xl:col-start-3 xl:row-span-2 xl:row-start-1 xl:pt-8">
            <IssueMargin sections={sections} readSections={readSections} prompts={issue.prompts} />
          </div>
        )}
      </div>
    </article>
  )
}

/** False if the page may open further down, which needs all of its height: at a section, on a reload, or by Back. */
function useStartsAtTop(): boolean {
  const { key, hash } = useLocation()
  return isOpenedAnew && key === 'default' && hash === ''
}

type IssueHeaderProps = { issue: FullIssue; focusAreas: readonly string[]; renderActions?: RenderItem }

function IssueHeader({ issue, focusAreas, renderActions }: IssueHeaderProps) {
  return (
    <header>
      <p className="flex flex-wrap gap-x-3 text-sm text-muted tabular-nums">
        {issue.number && <span className="font-semibold text-accent-ink">No. {issue.number}</span>}
        <time dateTime={issue.date}>{formatDay(issue.date)}</time>
        <span aria-hidden>·</span>
        <span>{issue.readingMinutes} min read</span>
      </p>
      <h1 className="display mt-3 max-w-[22ch] text-3xl sm:text-4xl">{issue.title}</h1>
      {issue.preview && <p className="mt-4 measure text-lg text-balance text-muted">{issue.preview}</p>}
      {issue.tags.length > 0 && (
        <ul aria-label="Tags" className="mt-4 flex flex-wrap gap-2">
          {issue.tags.map((tag) => (
            <li key={tag}>
              <Tag tone={focusAreas.includes(tag) ? 'accent' : 'plain'}>
                {optionLabel(publication, 'focusAreas', tag)}
              </Tag>
            </li>
          ))}
        </ul>
      )}
      {renderActions?.({ kind: 'issue', id: issue.id, title: issue.title })}
      <div aria-hidden className="rule-double mt-4" />
    </header>
  )
}

/** Shows what the drop can save or bring. Its sums are set like a bill, with the result in the last line. */
const Worth = ({ html }: { html: string }) => (
  <section aria-label="What it’s worth" className="mt-8 border-y border-line pt-6 pb-7">
    <h2 className="display text-xl">What it’s worth</h2>
    <CopyableHtml html={html} className="worth mt-3 max-w-none! text-base!" />
  </section>
)

/** A few signed words by the editor. `editor` is null until it has loaded, and if no editor is named. */
function EditorNote({ note, editor }: { note: string; editor: string | null }) {
  return (
    <aside aria-label="Editor’s note" className="pt-8">
      <p className="display text-xl leading-snug font-[440] text-pretty whitespace-pre-line [overflow-wrap:anywhere]">
        {note}
      </p>
      <p className="mt-2 border-b border-line pb-6 text-sm text-muted">
        {editor ? `${editor}, editor` : `The editors of ${publication.name}`}
      </p>
    </aside>
  )
}

/** The part after the last section. */
export const issueEndId = 'end-of-drop'

function IssueEnd({ issue: { closingHtml, question, checkedOn } }: { issue: FullIssue }) {
  const isEmpty = !(closingHtml || question || checkedOn)
  return (
    <footer id={issueEndId} className={isEmpty ? '' : 'mt-12 border-t-2 border-ink pt-7'}>
      {closingHtml && <CopyableHtml html={closingHtml} />}
      {question && (
        <section aria-label={ownWords`Your question until the next drop`} className="mt-8">
          <h2 className="text-sm font-semibold">{ownWords`Your question until the next drop`}</h2>
          <p className="display mt-2 max-w-[28ch] text-2xl text-balance">{question}</p>
        </section>
      )}
      {checkedOn && (
        <div className="mt-8 border-t border-line pt-3">
          <LastChecked on={checkedOn} />
        </div>
      )}
    </footer>
  )
}

export function IssueSkeleton() {
  return (
    <div>
      <SkeletonText lines={1} className="w-40 max-w-full" />
      <SkeletonText lines={2} height="h-10 sm:h-13" className="mt-3 max-w-xl" />
      <SkeletonText lines={2} height="h-7" className="mt-4 measure" />
      <Skeleton className="mt-4 h-5 w-44 max-w-full" />
      <Skeleton className="mt-4 h-11 w-36 max-w-full" />
      <div className="rule-double mt-4" />
      <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] lg:gap-x-14">
        <SkeletonText lines={8} height="h-13" className="hidden pt-8 lg:block" />
        <div className="measure">
          <SkeletonText lines={8} height="h-8" className="pt-6 lg:pt-8" />
          <SkeletonText lines={7} height="h-7" className="mt-12" />
        </div>
      </div>
    </div>
  )
}

type IssueMarginProps = {
  sections: readonly OrderedSection[]
  readSections: ReadonlySet<string>
  prompts: FullIssue['prompts']
}

/** Beside the text on wide screens: how much is left, and the prompts of the drop. */
function IssueMargin({ sections, readSections, prompts }: IssueMarginProps) {
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
function DropPrompts({ sections, prompts, className }: DropPromptsProps) {
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
