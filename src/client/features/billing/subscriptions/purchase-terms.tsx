import { type SubmitEvent, useState } from 'react'
import { publication } from '#client/lib/publication.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice } from '#client/ui/choice.tsx'
import type { PlanTerms } from '#shared/domain/plans.ts'
import { consentBoxes, purchaseTerms } from '#shared/domain/purchase-terms.ts'

/** Receives the terms as they were shown. */
type OnAgree = (terms: string) => void
type PurchaseTermsProps = { plan: PlanTerms; seats: number | undefined; trialDays: number; onAgree: OnAgree }

/** The renewal terms of a plan, with boxes to agree to before checkout. */
export default function PurchaseTerms({ plan, seats, trialDays, onAgree }: PurchaseTermsProps) {
  const [agreed, setAgreed] = useState<readonly string[]>([])
  const terms = purchaseTerms({ plan, seats, trialDays })
  // What is paid once can have none.
  const boxes = consentBoxes(publication.legal, plan)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onAgree([...terms, ...boxes].join('\n'))
  }
  return (
    <form onSubmit={handleSubmit} className="grid max-w-[62ch] gap-5">
      <h1 className="display text-3xl">Before you pay</h1>
      {terms.map((line) => (
        <p key={line} className="text-lg">
          {line}
        </p>
      ))}
      {boxes.map((text) => (
        <Choice
          key={text}
          type="checkbox"
          label={text}
          checked={agreed.includes(text)}
          onChange={({ target }) =>
            setAgreed(target.checked ? [...agreed, text] : agreed.filter((other) => other !== text))
          }
        />
      ))}
      <Button type="submit" className="justify-self-start" disabled={agreed.length < boxes.length}>
        Continue to checkout
      </Button>
    </form>
  )
}
