import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from '#client/ui/button.tsx'
import { Disclosure } from '#client/ui/disclosure.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { TextAreaField } from '#client/ui/text-area-field.tsx'
import { type InvitedAddress, maxInvitedAtOnce } from '#shared/contracts/billing/teams.ts'
import { formatCount } from '#shared/domain/format-count.ts'
import { splitAddresses } from '#shared/domain/split-addresses.ts'
import { useInviteMembers } from './teams.api.ts'

const texts: Record<InvitedAddress['result'], string> = {
  invited: 'Invited',
  already_invited: 'Already invited',
  already_member: 'Already on the team',
  invalid: 'Not a valid address',
  no_seat: 'No seat left',
  limited: 'Too many emails today. Try again tomorrow.',
}

/** Invites a pasted list, with a result for each address. */
export function InviteSeveral() {
  const invite = useInviteMembers()
  const [text, setText] = useState('')
  const emails = splitAddresses(text)
  const isTooMany = emails.length > maxInvitedAtOnce

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (invite.isPending || isTooMany || emails.length === 0) return
    invite.mutate(emails, {
      // Those that can be corrected stay.
      onSuccess: (results) =>
        setText(
          results
            .filter(({ result }) => result === 'invalid' || result === 'no_seat' || result === 'limited')
            .map(({ email }) => email)
            .join('\n'),
        ),
    })
  }

  return (
    <Disclosure summary="Invite several people" className="mt-6">
      <form onSubmit={handleSubmit} className="mt-3 grid max-w-xl gap-5">
        <TextAreaField
          label="Addresses"
          hint="Paste them one per line, or with commas between. Each person gets an email."
          error={isTooMany ? `Enter at most ${maxInvitedAtOnce} addresses at once.` : ''}
          rows={6}
          required
          spellCheck={false}
          autoCapitalize="none"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <FormError>{formErrorMessage(invite.error)}</FormError>
        <Button type="submit" pending={invite.isPending} className="justify-self-start">
          {emails.length === 0 ? 'Send invitations' : `Send ${formatCount(emails.length, 'invitation')}`}
        </Button>
      </form>
      {invite.data && <Results results={invite.data} />}
    </Disclosure>
  )
}

function Results({ results }: { results: readonly InvitedAddress[] }) {
  const invited = results.filter(({ result }) => result === 'invited').length
  return (
    <div className="mt-6 max-w-xl">
      <p role="status" className="font-semibold">
        {invited} of {formatCount(results.length, 'address', 'addresses')} invited
      </p>
      <ul aria-label="Results" className="mt-2 divide-y divide-line border-y border-line">
        {results.map(({ email, result }) => (
          <li key={email} className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
            <span className="min-w-0 [overflow-wrap:anywhere]">{email}</span>
            <Tag tone={result === 'invited' ? 'primary' : result === 'invalid' ? 'danger' : 'plain'}>
              {texts[result]}
            </Tag>
          </li>
        ))}
      </ul>
    </div>
  )
}
