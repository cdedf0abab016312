import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { TextField } from '#client/ui/field.tsx'
import { FormError } from '#client/ui/form-error.tsx'
import { InlineLoadError } from '#client/ui/load-error.tsx'
import { Section } from '#client/ui/section.tsx'
import { SkeletonText } from '#client/ui/skeleton.tsx'
import { formatDay } from '#shared/domain/format.ts'
import { deletionPreviewQuery, useDeleteAccount } from './account.api.ts'

type LeaveSectionProps = { onDeleted: () => void }

/** Leaving for good: first what it means, then the address typed, then the question who is there. */
export function DeleteAccountSection({ onDeleted }: LeaveSectionProps) {
  const [open, setOpen] = useState(false)
  return (
    <Section
      title="Delete your account"
      lede="Your account, answers and devices are removed at once. This cannot be taken back, not even by us."
    >
      {open ? (
        <LeaveForm onDeleted={onDeleted} onClose={() => setOpen(false)} />
      ) : (
        <Button variant="secondary" onClick={() => setOpen(true)}>
          Delete my account
        </Button>
      )}
    </Section>
  )
}

function LeaveForm({ onDeleted, onClose }: LeaveSectionProps & { onClose: () => void }) {
  const { user } = useSession()
  const preview = useQuery(deletionPreviewQuery)
  const leave = useDeleteAccount()
  const [typed, setTyped] = useState('')
  const email = user?.email ?? ''

  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!leave.isPending) leave.mutate(typed, { onSuccess: onDeleted })
  }

  return (
    <section aria-label="Delete your account" className="rounded-lg border border-danger bg-surface p-5 sm:p-7">
      <h4 className="font-semibold">What happens to your subscription</h4>
      <div className="mt-1 min-h-12 max-w-[60ch]">
        {preview.data !== undefined ? (
          <>
            <Subscription subscription={preview.data.subscription} />
            <TeamEnds members={preview.data.teamMembers} />
          </>
        ) : preview.isError ? (
          <InlineLoadError retrying={preview.isFetching} onRetry={preview.refetch}>
            We could not look it up just now.
          </InlineLoadError>
        ) : (
          <SkeletonText lines={2} />
        )}
      </div>
      {preview.data !== undefined && (
        <form onSubmit={handleSubmit} className="mt-5 grid max-w-md gap-5">
          <TextField
            label="Type your email address to confirm"
            hint={<span className="[overflow-wrap:anywhere]">{email}</span>}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={320}
            required
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value)
              if (leave.error) leave.reset()
            }}
          />
          <FormError>{formErrorMessage(leave.error)}</FormError>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="danger" pending={leave.isPending}>
              Delete my account for good
            </Button>
            <Button variant="secondary" onClick={onClose}>
              Keep my account
            </Button>
          </div>
        </form>
      )}
    </section>
  )
}

/** The team ends with its owner; who would rather leave it to somebody does that first. */
function TeamEnds({ members }: { members: number }) {
  if (members === 0) return null
  return (
    <p className="mt-3">
      Your team ends too: {members === 1 ? 'its member loses' : `its ${members} members lose`} the portal at once. To
      leave it to one of them, hand it over under Team first.
    </p>
  )
}

type Preview = { planName: string; paidUntil: string | null } | null

function Subscription({ subscription }: { subscription: Preview }) {
  if (!subscription) return <p>You have no running subscription. Nothing will be charged.</p>
  return (
    <p>
      Your <strong className="font-semibold">{subscription.planName}</strong> plan is canceled at once and nothing more
      is charged.{' '}
      {subscription.paidUntil && (
        <>
          You would lose the time that is paid until{' '}
          <time dateTime={subscription.paidUntil}>{formatDay(subscription.paidUntil)}</time>. To use it up, cancel the
          plan under Manage now and come back here afterwards.
        </>
      )}
    </p>
  )
}
