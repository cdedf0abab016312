import { useState } from 'react'
import { useNavigate } from 'react-router'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { CallError } from '#client/lib/error-message.ts'
import { ownWords } from '#client/lib/publication.ts'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { FormActions, TextField } from '#client/ui/form.tsx'
import { PageLink } from '#client/ui/page-link.tsx'
import { adminAddMemberCall } from '#shared/contracts/operations/member-account.ts'

/** Adds one member with the free edition or complimentary access. */
export function AddMemberDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const add = useChange(adminAddMemberCall, { done: 'Member added' })
  /** One id per dialog, so that a second click adds no one. */
  const [id] = useState(() => crypto.randomUUID())
  const [email, setEmail] = useState('')
  const [access, setAccess] = useState<'free' | 'complimentary'>('free')
  const [emails, setEmails] = useState<'confirm' | 'vouched'>('confirm')
  const handleSubmit = submitHandler(add, (text, form) => {
    const name = text('name') || null
    // Includes the whole last day.
    const complimentaryUntil = access === 'complimentary' ? `${form.get('until')}T23:59:59Z` : null
    add.mutate(
      { id, email, name, emails, complimentaryUntil },
      { onSuccess: ({ userId }) => void navigate(`/admin/members/${userId}`) },
    )
  })
  const isTaken = add.error instanceof CallError && add.error.code === 'email_exists'
  return (
    <Dialog title="Add a member" onClose={onClose}>
      <form onSubmit={handleSubmit} className="mt-4 grid gap-6">
        <TextField
          label="Email"
          type="email"
          autoComplete="off"
          required
          maxLength={320}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Name"
          name="name"
          maxLength={200}
          autoComplete="off"
          hint="Optional. Emails greet them by it."
        />
        <ChoiceGroup legend="Access">
          <Choice
            type="radio"
            name="access"
            label="Free edition"
            description="What is open to everyone, by email."
            checked={access === 'free'}
            onChange={() => setAccess('free')}
          />
          <Choice
            type="radio"
            name="access"
            label="Complimentary access"
            description="Everything members get, at no charge, until a date you choose. We email them about it."
            checked={access === 'complimentary'}
            onChange={() => setAccess('complimentary')}
          />
          {access === 'complimentary' && (
            <TextField label="Last day" name="until" type="date" required min={new Date().toISOString().slice(0, 10)} />
          )}
        </ChoiceGroup>
        <ChoiceGroup legend="Their consent">
          <Choice
            type="radio"
            name="emails"
            label="Ask them to confirm the address"
            description={
              access === 'free'
                ? 'We send one email now. They get the free edition once they sign in from it.'
                : ownWords`We send an email now. They get drops from the next one on, and product news once they sign in from it.`
            }
            checked={emails === 'confirm'}
            onChange={() => setEmails('confirm')}
          />
          <Choice
            type="radio"
            name="emails"
            label="They asked me for it, and the address is theirs"
            description="The address counts as confirmed, and newsletters start with the next one. The staff log shows that you answered for it."
            checked={emails === 'vouched'}
            onChange={() => setEmails('vouched')}
          />
        </ChoiceGroup>
        <p className="text-sm text-muted">
          To add someone who pays at your last service, import them and link Stripe. Other members choose a plan
          themselves.
        </p>
        <FormActions
          action="Add member"
          change={add}
          error={
            isTaken && (
              <>
                Another account has this address.{' '}
                <PageLink to={`/admin/members?search=${encodeURIComponent(email.trim())}`}>Show it</PageLink>
              </>
            )
          }
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
