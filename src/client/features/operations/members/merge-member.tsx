import { useState } from 'react'
import type { z } from 'zod'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, FormError, TextField } from '#client/ui/form.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { adminCheckMergeCall, adminMergeMembersCall } from '#shared/contracts/operations/member-account.ts'
import { formatDay } from '#shared/domain/format.ts'

type Checked = z.output<typeof adminCheckMergeCall.output>

/** Moves what another account of the same person has to this one. */
export function MergeMember({ userId }: { userId: string }) {
  const [checked, setChecked] = useState<Checked | null>(null)
  const check = useChange(adminCheckMergeCall, { onSuccess: setChecked })
  const handleSubmit = submitHandler(check, (_text, form) => check.mutate({ userId, email: String(form.get('other')) }))
  return (
    <Section
      title="Merge another account"
      lede="For someone who has two. What the other one has moves here, and the other one is deleted."
    >
      <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
        <TextField label="Email of the other account" name="other" type="email" required autoComplete="off" />
        <FormError>{formErrorMessage(check.error)}</FormError>
        <div>
          <Button variant="secondary" type="submit" pending={check.isPending}>
            Check accounts
          </Button>
        </div>
      </form>
      {checked && <MergeDialog userId={userId} checked={checked} onClose={() => setChecked(null)} />}
    </Section>
  )
}

function MergeDialog({ userId, checked, onClose }: { userId: string; checked: Checked; onClose: () => void }) {
  const { other, refusal, moved } = checked
  const merge = useChange(adminMergeMembersCall, { done: 'Accounts merged', onSuccess: onClose })
  const handleSubmit = submitHandler(merge, () => merge.mutate({ userId, otherId: other.id }))
  const about = `${other.name ? `${other.name}, ` : ''}${other.email}, joined ${formatDay(new Date(other.joinedAt))}`
  if (refusal)
    return (
      <Dialog title="These accounts can’t be merged" onClose={onClose}>
        <p className="mt-4 text-muted">{about}</p>
        <p className="mt-2">{refusal}</p>
      </Dialog>
    )
  const sentences = [
    ...(moved.length > 0 ? [`Moves here: ${moved.map(({ what, count }) => `${what} (${count})`).join(', ')}.`] : []),
    'Where both have the same thing, this account’s stays. What either one unsubscribed from stays off, and nothing is turned on.',
    'How this member signs in doesn’t change. Passwords, passkeys, and two-step verification of the other account end.',
    'Past payments stay at Stripe and in your revenue. Credit that the other account has at Stripe doesn’t move.',
    `${other.email} is deleted. It can’t be undone. Both addresses get an email if they’re confirmed.`,
  ]
  return (
    <Dialog title="Merge this account?" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-5">
        <p>{about}</p>
        <ul aria-label="What happens" className="grid list-disc gap-1 pl-5 text-muted">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <FormActions action="Merge accounts" variant="danger" change={merge} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
