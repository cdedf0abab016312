import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { RenderItem } from '#client/lib/item-marks.ts'
import type { Prompt } from '#shared/contracts/library.ts'
import { franchiseTopicLabels } from '#shared/domain/content-labels.ts'
import { formatList } from '#shared/domain/format-days-and-lists.ts'
import { aiLevelLabels } from '#shared/domain/preferences.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { DataLabelLink } from './data-label-link.tsx'
import { type Blanks, type Fillable, PlainPrompt } from './plain-prompt.tsx'
import { WorkedExample } from './worked-example.tsx'

export type PromptActions = {
  /** Fills in the blanks. */
  Fillable?: Fillable
  /** Beside the title. */
  renderSave?: RenderItem
  /** Below the prompt while it is open. */
  renderActions?: RenderItem
  /** Below the label, also while the prompt is closed. */
  renderNotice?: (prompt: Prompt) => ReactNode
}

type PromptItemProps = PromptActions & {
  prompt: Prompt
  /** Blanks that differ by trade are filled in for this one. */
  vertical: Vertical | null
  defaultOpen?: boolean
  /** Visible only in print until the list is expanded. */
  folded?: boolean
}

/** A collapsible prompt. Label and copy button are outside of the collapsed part. Print shows all but the example. */
export function PromptItem({
  prompt,
  vertical,
  Fillable = PlainPrompt,
  defaultOpen = false,
  folded = false,
  renderSave,
  renderActions,
  renderNotice,
}: PromptItemProps) {
  const [open, setOpen] = useState(defaultOpen)
  const bodyId = useId()
  const item = { kind: 'prompt', id: prompt.id, title: prompt.title } as const
  return (
    <li className={clsx('border-t border-line py-4', folded && 'hidden print:list-item')}>
      <Fillable prompt={prompt} vertical={vertical} isOpen={open}>
        {({ copy, notice, text, blanks }) => (
          <>
            <div className="flex break-after-avoid flex-wrap items-start justify-end gap-x-4">
              <h3 className="min-w-0 grow basis-48">
                <button
                  type="button"
                  id={prompt.id}
                  aria-expanded={open}
                  aria-controls={bodyId}
                  onClick={() => setOpen(!open)}
                  className="-ml-1 flex min-h-11 items-center gap-1 rounded-sm pr-2 text-left font-semibold hover:text-primary sm:min-h-9 print:ml-0 print:min-h-0"
                >
                  <ChevronRight
                    aria-hidden
                    className={clsx(
                      'size-5 shrink-0 text-muted transition-transform print:hidden',
                      open && 'rotate-90',
                    )}
                    strokeWidth={1.75}
                  />
                  {prompt.title}
                </button>
              </h3>
              <span className="flex items-center print:hidden">
                {renderSave?.(item)}
                {copy}
              </span>
            </div>
            <div className="break-inside-avoid break-after-avoid pl-5 print:pl-0">
              <p className="mt-1 measure text-sm text-muted print:max-w-none">{prompt.when}</p>
              <p className="flex flex-wrap items-center gap-x-4 text-sm sm:-mb-2 print:mb-0">
                {prompt.dataLabel && <DataLabelLink label={prompt.dataLabel} />}
                <span className="text-muted tabular-nums">{effortOf(prompt, blanks)}</span>
              </p>
              <div className="sm:mt-2 empty:hidden">{notice}</div>
              {renderNotice && <div className="empty:hidden sm:pt-2.5">{renderNotice(prompt)}</div>}
            </div>
            <div
              id={bodyId}
              className={clsx(
                'mt-4 sm:pl-5 print:block print:pl-0',
                open ? 'xl:grid xl:grid-cols-[minmax(0,1fr)_14rem] xl:gap-x-8' : 'hidden',
              )}
            >
              {text}
              <Checks prompt={prompt} />
              {prompt.example && <WorkedExample example={prompt.example} />}
              {open && <div className="empty:hidden xl:col-span-2">{renderActions?.(item)}</div>}
            </div>
          </>
        )}
      </Fillable>
    </li>
  )
}

function effortOf({ minutes, level }: Prompt, blanks: Blanks): string {
  return [minutes && `${minutes} min`, aiLevelLabels[level].title, describeBlanks(blanks)].filter(Boolean).join(' · ')
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
