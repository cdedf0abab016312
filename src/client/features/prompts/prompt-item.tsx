import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { CopyButton } from '#client/ui/copy-button.tsx'
import type { Prompt } from '#shared/contracts/library.ts'
import { countPlaceholders, splitPlaceholders } from '#shared/domain/placeholders.ts'
import { aiLevelLabels } from '#shared/domain/preferences.ts'

type PromptItemProps = {
  prompt: Prompt
  defaultOpen?: boolean
  /** Visible only in print until the list is expanded. */
  folded?: boolean
}

/** A collapsible prompt with a copy button that works while it is collapsed. Print shows the whole text. */
export function PromptItem({ prompt, defaultOpen = false, folded = false }: PromptItemProps) {
  const [open, setOpen] = useState(defaultOpen)
  const bodyId = useId()
  const blanks = countPlaceholders(prompt.body)
  return (
    <li className={clsx('break-inside-avoid border-t border-line py-4', folded && 'hidden print:list-item')}>
      <div className="flex flex-wrap items-start justify-end gap-x-4">
        <h3 className="min-w-0 grow basis-48">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={bodyId}
            onClick={() => setOpen(!open)}
            className="-ml-1 flex min-h-11 items-center gap-1 rounded-sm pr-2 text-left font-semibold hover:text-primary sm:min-h-9 print:ml-0 print:min-h-0"
          >
            <ChevronRight
              aria-hidden
              className={clsx('size-5 shrink-0 text-muted transition-transform print:hidden', open && 'rotate-90')}
              strokeWidth={1.75}
            />
            {prompt.title}
          </button>
        </h3>
        <span className="print:hidden">
          <CopyButton text={prompt.body} what={prompt.title} />
        </span>
      </div>
      <p className="mt-1 measure pl-5 text-sm text-muted print:pl-0">{prompt.when}</p>
      <p className="mt-1 pl-5 text-xs text-muted print:pl-0">
        {aiLevelLabels[prompt.level].title}
        {blanks > 0 && ` · ${blanks} ${blanks === 1 ? 'blank' : 'blanks'} to fill in`}
      </p>
      <div id={bodyId} className={clsx('mt-3 sm:pl-5 print:pl-0', !open && 'hidden print:block')}>
        <PromptBody body={prompt.body} />
      </div>
    </li>
  )
}

/** The prompt's text with its placeholders highlighted. */
function PromptBody({ body }: { body: string }) {
  return (
    <p className="measure rounded-r-md border-l-3 border-primary bg-sunken px-4 py-3 text-sm leading-relaxed whitespace-pre-line [overflow-wrap:anywhere] print:max-w-none">
      {splitPlaceholders(body).map((part) =>
        part.isPlaceholder ? (
          <mark
            key={part.at}
            className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-ink underline decoration-dotted underline-offset-4 print:font-bold"
          >
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )}
    </p>
  )
}
