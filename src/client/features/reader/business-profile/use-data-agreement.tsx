import { type ReactNode, useState } from 'react'
import { Button } from '#client/ui/button.tsx'
import { type DataLabel, dataLabelTexts } from '#shared/domain/content-labels.ts'

/**
 * Prompts that need a data agreement ask once per visit, in place, before their text leaves the page. A change of the text
 * withdraws the question, so that a confirmation never copies an earlier text.
 */
export function useDataAgreement(
  label: DataLabel | null,
  text: string,
): {
  guard: (run: () => void) => void
  question: ReactNode
} {
  const [isConfirmed, setConfirmed] = useState(label !== 'data-agreement')
  const [waiting, setWaiting] = useState<{ run: () => void; text: string } | null>(null)
  const guard = (run: () => void) => (isConfirmed ? run() : setWaiting({ run, text }))
  const handleConfirm = () => {
    setConfirmed(true)
    setWaiting(null)
    waiting?.run()
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
