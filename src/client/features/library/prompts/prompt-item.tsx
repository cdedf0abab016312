import { clsx } from 'clsx'
import { ChevronDown, FileText, MessageCircleQuestionMark, ShieldCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Link } from 'react-router'
import type { RenderItem } from '#client/lib/item-marks.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { Disclosure } from '#client/ui/page-parts.tsx'
import type { ListedPrompt, Prompt, PromptExample, PromptIssue } from '#shared/contracts/library/library.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { type DataLabel, dataLabelTexts, franchiseTopicLabels } from '#shared/domain/content-labels.ts'
import { splitFirstSentence } from '#shared/domain/first-sentence.ts'
import { formatList } from '#shared/domain/format.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import { type Vertical, verticalLabels } from '#shared/domain/verticals.ts'
import { type Blanks, type Fillable, PlainPrompt } from './plain-prompt.tsx'

/** An invented input with an answer, the mistake in it, and the corrected version. Folded; not in print. */
function WorkedExample({ example }: { example: PromptExample }) {
  return (
    <Disclosure
      className="mt-4 border-t border-line print:hidden"
      summary={
        <span className="py-2 text-sm">
          Worked example: {verticalLabels[example.vertical]}
          <span className="block font-normal text-muted">Written for illustration</span>
        </span>
      }
    >
      <dl className="measure pb-2 text-sm leading-relaxed">
        <Part title="Goes into the blanks" text={example.input} />
        <Part title="Answer" text={example.answer} />
        <div className="mt-4 rounded-r-md border-l-3 border-accent bg-accent-soft px-4 py-3 text-accent-ink">
          <dt className="flex items-center gap-2 font-semibold">
            <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
            The mistake
          </dt>
          <dd className="mt-1 whitespace-pre-line">{example.mistake.trim()}</dd>
        </div>
        <Part title="Corrected" text={example.corrected} />
      </dl>
    </Disclosure>
  )
}

const Part = ({ title, text }: { title: string; text: string }) => (
  <div className="mt-4 border-t border-line pt-3 first:mt-0">
    <dt className="font-semibold">{title}</dt>
    <dd className="mt-1 whitespace-pre-line [overflow-wrap:anywhere]">{text.trim()}</dd>
  </div>
)

const icons = {
  none: { icon: ShieldCheck, tone: 'text-success' },
  'ask-franchisor': { icon: MessageCircleQuestionMark, tone: 'text-accent-ink' },
  'data-agreement': { icon: FileText, tone: 'text-accent-ink' },
} as const

/** Data that a prompt may be used with. Leads to the list of what never goes into an AI tool. */
function DataLabelLink({ label }: { label: DataLabel }) {
  const { icon: Icon, tone } = icons[label]
  if (!hasPage(publication, 'safety')) {
    return (
      <span className="inline-flex items-center gap-1.5 font-medium text-ink">
        <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} strokeWidth={1.75} />
        {dataLabelTexts[label]}
      </span>
    )
  }
  return (
    <Link
      to="/portal/safety"
      className="group inline-flex min-h-11 items-center gap-1.5 rounded-sm font-medium text-ink sm:min-h-8 print:min-h-0"
    >
      <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} strokeWidth={1.75} />
      <span className="underline decoration-line-strong underline-offset-4 group-hover:decoration-ink print:no-underline">
        {dataLabelTexts[label]}
      </span>
      <span className="sr-only"> (what never goes into an AI tool)</span>
    </Link>
  )
}

export type PromptActions = {
  /** Fills in the blanks. */
  Fillable?: Fillable
  /** Beside the title. */
  renderSave?: RenderItem
  /** Below the prompt while it is open. */
  renderActions?: (item: Parameters<RenderItem>[0], prompt: ListedPrompt) => ReactNode
  /** Below the label, also while the prompt is closed. */
  renderNotice?: (prompt: Prompt) => ReactNode
}

type PromptItemProps = PromptActions & {
  /** Left out in the preview of a draft. */
  prompt: Prompt & { issues?: readonly PromptIssue[] }
  /** Blanks that differ by trade are filled in for this one. */
  vertical: Vertical | null
  defaultOpen?: boolean
  /** Visible only in print until the list is expanded. */
  folded?: boolean
  /** True if the collapsed part is rendered while it is closed, for print. */
  hasBody?: boolean
}

/**
 * A collapsible prompt, set like an order ticket: the minutes on its stub, then what helps to choose. Label and copy button
 * are outside of the collapsed part; while it is open, the button stays at the end of the screen. Print shows all but the example.
 */
export function PromptItem({
  prompt,
  vertical,
  Fillable = PlainPrompt,
  defaultOpen = false,
  folded = false,
  hasBody = true,
  renderSave,
  renderActions,
  renderNotice,
}: PromptItemProps) {
  const [open, setOpen] = useState(defaultOpen)
  const bodyId = useId()
  const item = { kind: 'prompt', id: prompt.id, title: prompt.title } as const
  return (
    <li className={clsx('@container border-t border-line py-3 sm:py-4', folded && 'hidden print:list-item')}>
      <Fillable prompt={prompt} vertical={vertical} isOpen={open}>
        {({ copy, notice, text, blanks }) => (
          <>
            <div className="ticket" data-open={open}>
              <h3 className="ticket-title break-after-avoid">
                <button
                  type="button"
                  id={prompt.id}
                  aria-expanded={open}
                  aria-controls={bodyId}
                  onClick={() => setOpen(!open)}
                  className="group flex min-h-11 w-full items-center gap-1.5 rounded-sm text-left leading-snug font-semibold hover:text-primary print:min-h-0"
                >
                  {prompt.title}
                  <ChevronDown
                    aria-hidden
                    className={clsx(
                      'size-4.5 shrink-0 text-muted transition-transform print:hidden',
                      open && 'rotate-180',
                    )}
                    strokeWidth={1.75}
                  />
                </button>
              </h3>
              <div className="ticket-save print:hidden">{renderSave?.(item)}</div>
              {!open && <div className="ticket-copy print:hidden">{copy}</div>}
              <p className="ticket-when measure text-sm text-muted print:max-w-none">
                <Purpose text={prompt.when} />
              </p>
              <div className="ticket-facts">
                <div className="ticket-label">{prompt.dataLabel && <DataLabelLink label={prompt.dataLabel} />}</div>
                <p className="ticket-effort text-muted tabular-nums">
                  <Effort prompt={prompt} blanks={blanks} />
                </p>
              </div>
              <div className="ticket-more break-inside-avoid break-after-avoid text-sm">
                {prompt.issues && <PromptIssues issues={prompt.issues} />}
                {!open && notice}
                {renderNotice?.(prompt)}
              </div>
            </div>
            <div
              id={bodyId}
              className={clsx(
                'mt-4 sm:pl-21 print:block print:pl-0',
                open ? 'xl:grid xl:grid-cols-[minmax(0,1fr)_14rem] xl:gap-x-8' : 'hidden',
              )}
            >
              {(open || hasBody) && (
                <>
                  <div>
                    {text}
                    {open && (
                      <>
                        {notice}
                        <div className="sticky bottom-(--bottom-bar) z-10 measure flex flex-wrap items-center justify-between gap-x-4 border-b border-line bg-background py-2 print:hidden">
                          <p className="text-sm text-muted tabular-nums">{describeBlanks(blanks)}</p>
                          {copy}
                        </div>
                      </>
                    )}
                  </div>
                  <Checks prompt={prompt} />
                  {prompt.example && <WorkedExample example={prompt.example} />}
                </>
              )}
              {open && (
                <div className="empty:hidden xl:col-span-2 print:hidden">
                  {isListed(prompt) && renderActions?.(item, prompt)}
                </div>
              )}
            </div>
          </>
        )}
      </Fillable>
    </li>
  )
}

/** The preview of a draft has no actions. */
const isListed = (prompt: Prompt): prompt is ListedPrompt => 'issues' in prompt

/** Says what it is for. On a phone, what it gives follows once the prompt is open. */
function Purpose({ text }: { text: string }) {
  const { first, rest } = splitFirstSentence(text)
  return (
    <>
      {first}
      <span className="ticket-rest">{rest}</span>
    </>
  )
}

/** The minutes stand on the stub, unless text is enlarged. */
function Effort({ prompt: { minutes, level }, blanks }: { prompt: Prompt; blanks: Blanks }) {
  return (
    <>
      {minutes && (
        <span className="ticket-stub">
          <b>{minutes}</b> min<i> · </i>
        </span>
      )}
      <span className="ticket-line">
        {[optionLabel(publication, 'aiLevel', level), describeBlanks(blanks)].filter(Boolean).join(' · ')}
      </span>
    </>
  )
}

/** The drops that use it. */
function PromptIssues({ issues }: { issues: readonly PromptIssue[] }) {
  return issues.map(({ slug, title, anchor }, index) => (
    <p key={slug} className="ticket-drop mt-2 print:hidden">
      {index === 0 ? ownWords`From the drop ` : 'Also in '}
      <Link to={`/portal/weekly-drops/${slug}${anchor ? `#${anchor}` : ''}`} className="text-link">
        {title}
      </Link>
    </p>
  ))
}

function describeBlanks({ left, total }: Blanks): string {
  if (total === 0) return ''
  if (left === 0) return 'All blanks filled in'
  return left < total ? `${left} of ${total} blanks left` : `${total} ${total === 1 ? 'blank' : 'blanks'} to fill in`
}

function Checks({ prompt: { checks, touches } }: { prompt: Prompt }) {
  if (checks.length === 0 && touches.length === 0) return null
  return (
    <div className="mt-4 measure break-inside-avoid text-sm xl:mt-0 print:max-w-none">
      {checks.length > 0 && (
        <>
          <h4 className="font-semibold">Check in the answer</h4>
          <ul className="mt-1 list-disc pl-4 marker:text-primary">
            {checks.map((check) => (
              <li key={check} className="py-1">
                {check}
              </li>
            ))}
          </ul>
        </>
      )}
      {touches.length > 0 && (
        <p className="mt-3 text-muted">
          Franchise topics: {formatList(touches.map((topic) => franchiseTopicLabels[topic].toLowerCase()))}
        </p>
      )}
    </div>
  )
}
