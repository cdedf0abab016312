import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { CallError } from '#client/lib/invoke.ts'
import { ownWords } from '#client/lib/own-words.ts'
import { Button } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import type { NewsletterFigures, StoredNewsletter } from '#shared/contracts/publishing/newsletters.ts'
import { formatNumber } from '#shared/domain/format-count.ts'
import { newsletterLimits } from '#shared/domain/newsletters.ts'
import { useSaveNewsletter } from './newsletters.api.ts'

/** Someone else has saved the newsletter since it was loaded. */
const isConflict = (error: unknown) => error instanceof CallError && error.code === 'edit_conflict'

type NewsletterFormProps = {
  /** Null for a new one. */
  newsletter: StoredNewsletter | null
  /** Undefined until they are loaded. */
  figures: NewsletterFigures | undefined
  onReload: () => void
  onClose: () => void
}

/** Who is subscribed without having chosen the newsletter. */
type Given = 'none' | 'new' | 'everyone'

export function NewsletterForm({ newsletter, figures, onReload, onClose }: NewsletterFormProps) {
  const save = useSaveNewsletter()
  const [membersOnly, setMembersOnly] = useState(newsletter?.membersOnly ?? false)
  const [given, setGiven] = useState<Given>(newsletter?.subscribesNewMembers ? 'new' : 'none')
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (save.isPending) return
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name)).trim()
    const { id, version } = newsletter ?? { id: null, version: 0 }
    save.mutate(
      {
        id,
        version,
        name: text('name'),
        description: text('description'),
        senderName: text('senderName'),
        senderAddress: text('senderAddress'),
        replyTo: text('replyTo'),
        membersOnly,
        subscribesNewMembers: given !== 'none',
        subscribesExisting: given === 'everyone',
      },
      { onSuccess: onClose },
    )
  }
  const everyone = figures ? `the ${formatNumber(figures.everyone)} you have now` : 'those you have now'
  const givenOptions: readonly { value: Given; label: string; description: string }[] = [
    { value: 'none', label: 'Nobody', description: 'Readers choose it on their email preferences page.' },
    { value: 'new', label: 'Members who join from now on', description: 'They can unsubscribe at any time.' },
    ...(newsletter
      ? []
      : ([
          {
            value: 'everyone',
            label: `Members who join, and ${everyone}`,
            description: ownWords`Except anyone who has unsubscribed from drops and product news.`,
          },
        ] as const)),
  ]
  return (
    <form
      onSubmit={handleSubmit}
      aria-label={newsletter ? `Edit ${newsletter.name}` : 'Create newsletter'}
      className="grid max-w-3xl gap-8"
    >
      <div className="grid gap-5">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={newsletterLimits.name}
          autoComplete="off"
          defaultValue={newsletter?.name}
          hint="Readers see it on their preferences page and in each email’s footer."
        />
        <TextField
          label="Description"
          name="description"
          maxLength={newsletterLimits.description}
          autoComplete="off"
          defaultValue={newsletter?.description}
          hint="What it’s about and how often it comes."
        />
      </div>
      <ChoiceGroup legend="Who can get it" columns>
        <Choice
          type="radio"
          name="for"
          label="Every reader"
          description="Anyone with an account and a confirmed address."
          checked={!membersOnly}
          onChange={() => setMembersOnly(false)}
        />
        <Choice
          type="radio"
          name="for"
          label="Members only"
          description="Readers with a plan, a seat or complimentary access."
          checked={membersOnly}
          onChange={() => setMembersOnly(true)}
        />
      </ChoiceGroup>
      <ChoiceGroup legend="Who gets it without choosing it">
        {givenOptions.map(({ value, label, description }) => (
          <Choice
            key={value}
            type="radio"
            name="given"
            label={label}
            description={description}
            checked={given === value}
            onChange={() => setGiven(value)}
          />
        ))}
      </ChoiceGroup>
      <fieldset>
        <legend className="display text-xl">Sender</legend>
        <p className="mt-1 text-muted">Leave empty to send it like your other email.</p>
        <div className="mt-4 grid items-start gap-5 sm:grid-cols-2">
          <TextField
            label="Sender’s name"
            name="senderName"
            maxLength={newsletterLimits.name}
            autoComplete="off"
            placeholder={figures?.sender.name}
            defaultValue={newsletter?.senderName}
          />
          <TextField
            label="Sender’s address"
            name="senderAddress"
            type="email"
            maxLength={254}
            autoComplete="off"
            placeholder={figures?.sender.address}
            defaultValue={newsletter?.senderAddress}
          />
          <TextField
            label="Replies go to"
            name="replyTo"
            type="email"
            maxLength={254}
            autoComplete="off"
            defaultValue={newsletter?.replyTo}
          />
        </div>
      </fieldset>
      <div className="grid gap-4">
        <FormError>{formErrorMessage(save.error)}</FormError>
        <FormActions
          action={newsletter ? 'Save newsletter' : 'Create newsletter'}
          pending={save.isPending}
          onCancel={onClose}
        >
          {isConflict(save.error) && (
            <Button variant="secondary" onClick={onReload}>
              Show the newer version
            </Button>
          )}
        </FormActions>
      </div>
    </form>
  )
}
