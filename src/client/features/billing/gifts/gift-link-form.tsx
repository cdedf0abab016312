import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useChange } from '#client/lib/use-change.ts'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { adminCreateGiftLinkCall, maxGiftLinkMonths, maxGiftLinkUses } from '#shared/contracts/billing/gift-links.ts'

type GiftLinkFormProps = {
  /** The time zone in which the last day ends. */
  timeZone: string
  onMade: (link: string) => void
  onClose: () => void
}

const wholeNumber = (text: string, max: number) =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max ? Number(text) : null

export function GiftLinkForm({ timeZone, onMade, onClose }: GiftLinkFormProps) {
  const create = useChange(adminCreateGiftLinkCall)
  /** One per form, so that a second click creates one link. */
  const [requestId] = useState(() => crypto.randomUUID())
  const [note, setNote] = useState('')
  const [monthsText, setMonthsText] = useState('3')
  const [usesText, setUsesText] = useState('20')
  const [lastDay, setLastDay] = useState('')
  const months = wholeNumber(monthsText, maxGiftLinkMonths)
  const maxUses = wholeNumber(usesText, maxGiftLinkUses)
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (create.isPending || months === null || maxUses === null) return
    create.mutate({ requestId, note, months, maxUses, lastDay }, { onSuccess: ({ link }) => onMade(link) })
  }
  return (
    <form onSubmit={handleSubmit} aria-label="Create gift link" className="grid max-w-3xl gap-7">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          label="Note"
          autoComplete="off"
          required
          maxLength={100}
          className="sm:col-span-2"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          hint="Who the link is for. Only staff see it."
        />
        <TextField
          label="Months of access"
          inputMode="numeric"
          autoComplete="off"
          required
          value={monthsText}
          onChange={(event) => setMonthsText(event.target.value)}
          hint="12 for a year."
          error={monthsText !== '' && months === null ? `Enter a whole number from 1 to ${maxGiftLinkMonths}` : ''}
        />
        <TextField
          label="Number of people"
          inputMode="numeric"
          autoComplete="off"
          required
          value={usesText}
          onChange={(event) => setUsesText(event.target.value)}
          hint="Each person can use the link once."
          error={usesText !== '' && maxUses === null ? 'Enter a whole number from 1 to 100,000' : ''}
        />
        <TextField
          label="Last day"
          type="date"
          required
          value={lastDay}
          onChange={(event) => setLastDay(event.target.value)}
          hint={`Ends at midnight, ${timeZone.replaceAll('_', ' ')} time.`}
        />
      </div>
      <FormError>{formErrorMessage(create.error)}</FormError>
      <FormActions action="Create gift link" pending={create.isPending} onCancel={onClose} />
    </form>
  )
}
