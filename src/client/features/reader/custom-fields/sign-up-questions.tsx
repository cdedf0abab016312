import { useEffect, useRef } from 'react'
import { Button } from '#client/ui/button.tsx'
import type { AnsweredField } from '#shared/contracts/reader/custom-fields.ts'
import { OwnFieldsForm } from './own-fields-form.tsx'

type SignUpQuestionsProps = { items: readonly AnsweredField[]; finishLabel: string; onFinished: () => void }

/** The publisher's questions, after the three steps of onboarding. Optional ones can be skipped. */
export function SignUpQuestions({ items, finishLabel, onFinished }: SignUpQuestionsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    window.scrollTo({ top: 0 })
  }, [])
  return (
    <section aria-labelledby="more-questions">
      <h2 ref={heading} id="more-questions" tabIndex={-1} className="display mb-6 text-xl">
        {items.length === 1 ? 'One more question' : 'A few more questions'}
      </h2>
      <OwnFieldsForm items={items} action={finishLabel} onSaved={onFinished}>
        {items.every(({ required }) => !required) && (
          <Button variant="quiet" onClick={onFinished}>
            Skip
          </Button>
        )}
      </OwnFieldsForm>
    </section>
  )
}
