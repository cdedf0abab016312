import { type ReactNode, useState } from 'react'
import { CopyButton } from '#client/ui/copy-button.tsx'
import type { Prompt } from '#shared/contracts/library/library.ts'
import { tradeExamplesFor } from '#shared/domain/trade-examples.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { LocationChooser, PromptActions } from './prompt-actions.tsx'
import { CopiedNote, PromptText } from './prompt-text.tsx'
import { useDataAgreement } from './use-data-agreement.tsx'
import { useFilling } from './use-filling.ts'
import { useOpenBlank } from './use-open-blank.ts'

type FillablePromptProps = {
  prompt: Prompt
  vertical: Vertical | null
  isOpen: boolean
  onCopied?: () => void
  /** Arranges the parts. `blanks` counts what is left to fill in, and all. */
  children: (parts: {
    copy: ReactNode
    notice: ReactNode
    text: ReactNode
    blanks: { left: number; total: number }
  }) => ReactNode
}

/** A prompt of a pack, filled in from the profile, the location and the reader's answers. */
export function FillablePrompt({ prompt, vertical, isOpen, onCopied, children }: FillablePromptProps) {
  const { id, title, body, dataLabel } = prompt
  const filling = useFilling({
    promptId: id,
    body: body.trim(),
    exampleOf: tradeExamplesFor(vertical),
    remembers: dataLabel !== 'data-agreement',
  })
  const blank = useOpenBlank(filling)
  const { guard, question } = useDataAgreement(dataLabel, filling.text)
  const [copiedText, setCopiedText] = useState<string | null>(null)
  const blanks = filling.parts.filter(({ placeholder }) => placeholder)
  const handleCopied = () => {
    setCopiedText(filling.text)
    onCopied?.()
  }

  return children({
    copy: <CopyButton text={filling.text} what={title} guard={guard} onCopied={handleCopied} />,
    notice: (
      <>
        {question}
        {copiedText === filling.text && <CopiedNote missing={filling.missing} />}
      </>
    ),
    text: (
      <div>
        {isOpen && blanks.length > 0 && (
          <div className="mb-3 empty:hidden">
            <LocationChooser locations={filling.locations} location={filling.location} />
          </div>
        )}
        <PromptText filling={filling} blank={blank} vertical={vertical} />
        {isOpen && (
          <div className="mt-3">
            <PromptActions filling={filling} guard={guard} onCopied={handleCopied} />
          </div>
        )}
      </div>
    ),
    blanks: { left: blanks.filter(({ value }) => value === null).length, total: blanks.length },
  })
}
