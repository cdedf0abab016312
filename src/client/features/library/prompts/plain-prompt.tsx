import type { ComponentType, ReactNode } from 'react'
import { CopyButton } from '#client/ui/copy-button.tsx'
import type { Prompt } from '#shared/contracts/library/library.ts'
import { showPlaceholders, splitPlaceholders } from '#shared/domain/placeholders.ts'
import { tradeExamplesFor } from '#shared/domain/trade-examples.ts'
import type { Vertical } from '#shared/domain/verticals.ts'

/** Shows a prompt and fills in its blanks. The page supplies it, since the values belong to another feature. */
export type Fillable = ComponentType<FillableProps>

type FillableProps = {
  prompt: Prompt
  vertical: Vertical | null
  isOpen: boolean
  /** Arranges the parts. */
  children: (parts: {
    copy: ReactNode
    /** A hint for before or after copying. */
    notice: ReactNode
    text: ReactNode
    blanks: Blanks
  }) => ReactNode
}

export type Blanks = { left: number; total: number }

/** A prompt with marked blanks that can't be filled in, as in the preview of a draft. */
export function PlainPrompt({ prompt: { body, title }, vertical, children }: FillableProps) {
  const exampleOf = tradeExamplesFor(vertical)
  const parts = splitPlaceholders(body.trim(), exampleOf)
  const total = parts.filter(({ placeholder }) => placeholder).length
  return children({
    copy: <CopyButton text={showPlaceholders(body, exampleOf)} what={title} />,
    notice: null,
    text: (
      <p className="measure rounded-r-md border-l-3 border-primary bg-sunken px-4 py-3 text-sm leading-relaxed whitespace-pre-line [overflow-wrap:anywhere]">
        {parts.map(({ at, text, placeholder }) =>
          placeholder ? (
            <mark
              key={at}
              className="rounded-sm bg-accent-soft px-0.5 font-medium text-accent-ink underline decoration-dotted underline-offset-4"
            >
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
    ),
    blanks: { left: total, total },
  })
}
