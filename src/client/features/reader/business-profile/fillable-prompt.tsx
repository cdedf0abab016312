import { type ReactNode, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { CopyButton } from '#client/ui/copy-button.tsx'
import type { Prompt } from '#shared/contracts/library/library.ts'
import { type DataLabel, dataLabelTexts } from '#shared/domain/content-labels.ts'
import { tradeExamplesFor } from '#shared/domain/trade-examples.ts'
import type { Vertical } from '#shared/domain/verticals.ts'
import { LocationChooser, PromptActions } from './prompt-actions.tsx'
import { CopiedNote, PromptText } from './prompt-text.tsx'
import { useFilling } from './use-filling.ts'
import { useOpenBlank } from './use-open-blank.ts'
import { type Guard, usePasteGuard } from './use-paste-guard.tsx'

/**
 * Prompts that need a data agreement ask once per visit, in place, before their text leaves the page. A change of the text
 * withdraws the question, so that a confirmation never copies an earlier text.
 */
function useDataAgreement(
  label: DataLabel | null,
  text: string,
  next: Guard,
): {
  guard: Guard
  question: ReactNode
} {
  const [isConfirmed, setConfirmed] = useState(label !== 'data-agreement')
  const [waiting, setWaiting] = useState<{ run: (text: string) => void; text: string } | null>(null)
  const guard: Guard = (run) => (isConfirmed ? next(run) : setWaiting({ run, text }))
  const handleConfirm = () => {
    setConfirmed(true)
    setWaiting(null)
    if (waiting) next(waiting.run)
  }
  const question = waiting?.text === text && (
    <section
      aria-label={dataLabelTexts['data-agreement']}
      className="mt-3 border-l-3 border-accent bg-accent-soft px-4 py-3 font-sans text-sm text-accent-ink print:hidden"
    >
      <p>
        <strong>{dataLabelTexts['data-agreement']}.</strong> Use this prompt in an AI tool only if your company has an
        agreement with its vendor on how data is handled. Even then, leave names out.
      </p>
      <p className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" autoFocus onClick={handleConfirm}>
          I have an agreement
        </Button>
        <Button variant="quiet" size="sm" onClick={() => setWaiting(null)}>
          Not now
        </Button>
      </p>
    </section>
  )
  return { guard, question }
}

type FillablePromptProps = {
  prompt: Prompt
  vertical: Vertical | null
  isOpen: boolean
  /** Beside the chooser of a location. */
  forStores?: ReactNode
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
export function FillablePrompt({ prompt, vertical, isOpen, forStores, onCopied, children }: FillablePromptProps) {
  const { id, title, body, dataLabel } = prompt
  const filling = useFilling({
    promptId: id,
    body: body.trim(),
    exampleOf: tradeExamplesFor(vertical),
    remembers: dataLabel !== 'data-agreement',
  })
  const blank = useOpenBlank(filling)
  const paste = usePasteGuard(filling)
  const { guard, question } = useDataAgreement(dataLabel, filling.text, paste.guard)
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
        {question || paste.question}
        {copiedText === filling.text && <CopiedNote missing={filling.missing} />}
      </>
    ),
    text: (
      <div>
        {isOpen && blanks.length > 0 && (
          <div className="mb-3 flex flex-wrap items-center gap-x-6 empty:hidden">
            <LocationChooser locations={filling.locations} location={filling.location} />
            {forStores}
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
