import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import { CopyButton } from '#client/ui/copy-button.tsx'
import type { Prompt } from '#shared/contracts/library.ts'
import { countPlaceholders, splitPlaceholders } from '#shared/domain/placeholders.ts'
import { aiLevelLabels } from '#shared/domain/preferences.ts'

type PromptItemProps = { prompt: Prompt; defaultOpen?: boolean }

/** One prompt: what it is for, its text behind the title, and a copy button that needs no unfolding. */
export function PromptItem({ prompt, defaultOpen = false }: PromptItemProps) {
  const [open, setOpen] = useState(defaultOpen)
  const bodyId = useId()
  const blanks = countPlaceholders(prompt.body)
  return (
    <li className="border-t border-line py-4">
      <div className="flex items-start justify-between gap-4">
        <h3 className="min-w-0">
          <button
            type="button"
            aria-expanded={open}
            aria-controls={bodyId}
            onClick={() => setOpen(!open)}
            className="-ml-1 flex min-h-11 items-center gap-1 rounded-sm pr-2 text-left font-semibold hover:text-primary sm:min-h-9"
          >
            <ChevronRight
              aria-hidden
              className={clsx('size-5 shrink-0 text-muted transition-transform', open && 'rotate-90')}
              strokeWidth={1.75}
            />
            {prompt.title}
          </button>
        </h3>
        <CopyButton text={prompt.body} what={prompt.title} />
      </div>
      <p className="mt-1 measure pl-5 text-sm text-muted">{prompt.when}</p>
      <p className="mt-1 pl-5 text-xs text-muted">
        {aiLevelLabels[prompt.level].title}
        {blanks > 0 && ` · ${blanks} ${blanks === 1 ? 'blank' : 'blanks'} to fill in`}
      </p>
      <div id={bodyId} hidden={!open} className="mt-3 sm:pl-5">
        <PromptBody body={prompt.body} />
      </div>
    </li>
  )
}

/** The text as it will be pasted, its blanks marked. */
function PromptBody({ body }: { body: string }) {
  return (
    <p className="measure rounded-r-md border-l-3 border-primary bg-sunken px-4 py-3 text-sm leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">
      {splitPlaceholders(body).map((part) =>
        part.isPlaceholder ? (
          <mark
            key={part.at}
            className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-ink underline decoration-dotted underline-offset-4"
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
