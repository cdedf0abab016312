import { useQuery } from '@tanstack/react-query'
import { type RefCallback, useState } from 'react'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { useSession } from '#client/lib/session.ts'
import { Button } from '#client/ui/button.tsx'
import { FormError, TextField } from '#client/ui/form.tsx'
import { InlineLoadError, SkeletonText } from '#client/ui/loading.tsx'
import { Section } from '#client/ui/page-parts.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import { deleteAccountCall, deletionPreviewCall } from '#shared/contracts/identity/account-security.ts'
import { formatDay } from '#shared/domain/format.ts'

type DeleteAccountSectionProps = { onDeleted: () => void }

export function DeleteAccountSection({ onDeleted }: DeleteAccountSectionProps) {
  const [open, setOpen] = useState(false)
  const { ref, focusWhenShown } = useFocusWhenShown()
  const toggle = () => {
    focusWhenShown()
    setOpen(!open)
  }
  return (
    <Section
      title="Delete your account"
      lede="This removes your account, preferences and devices right away. It can’t be undone, not even by us."
    >
      {open ? (
        <DeleteAccountForm ref={ref} onDeleted={onDeleted} onClose={toggle} />
      ) : (
        <Button ref={ref} variant="secondary" onClick={toggle}>
          Delete my account
        </Button>
      )}
    </Section>
  )
}

type DeleteAccountFormProps = DeleteAccountSectionProps & { ref: RefCallback<HTMLElement>; onClose: () => void }

function DeleteAccountForm({ ref, onDeleted, onClose }: DeleteAccountFormProps) {
  const { user } = useSession()
  const preview = useQuery(alwaysStaleQuery(['deletion-preview'], deletionPreviewCall, {}))
  const deletion = useChange(deleteAccountCall)
  const [typed, setTyped] = useState('')
  const email = user?.email ?? ''

  const handleSubmit = submitHandler(deletion, () => deletion.mutate({ email: typed }, { onSuccess: onDeleted }))

  return (
    <section
      ref={ref}
      tabIndex={-1}
      aria-label="Delete your account"
      className="rounded-lg border border-danger bg-surface p-5 sm:p-7"
    >
      <h4 className="font-semibold">What happens to your subscription</h4>
      <div className="mt-1 min-h-12 max-w-[60ch]">
        {preview.data !== undefined ? (
          <>
            <SubscriptionNotice subscription={preview.data.subscription} />
            <TeamNotice members={preview.data.teamMembers} />
          </>
        ) : preview.isError ? (
          <InlineLoadError retrying={preview.isFetching} onRetry={preview.refetch}>
            We couldn’t load your subscription.
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
              if (deletion.error) deletion.reset()
            }}
          />
          <FormError>{formErrorMessage(deletion.error)}</FormError>
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="danger" pending={deletion.isPending}>
              Permanently delete my account
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

function TeamNotice({ members }: { members: number }) {
  if (members === 0) return null
  return (
    <p className="mt-3">
      This also ends your team: {members === 1 ? 'its member loses' : `its ${members} members lose`} access right away.
      To keep it going, transfer it to a member under Team first.
    </p>
  )
}

type Preview = { planName: string; paidUntil: string | null } | null

function SubscriptionNotice({ subscription }: { subscription: Preview }) {
  if (!subscription) return <p>You don’t have an active subscription, so you won’t be charged.</p>
  return (
    <p>
      Your <strong className="font-semibold">{subscription.planName}</strong> plan is canceled right away, and you won’t
      be charged again.{' '}
      {subscription.paidUntil && (
        <>
          You’d lose the time you’ve paid for, until{' '}
          <time dateTime={subscription.paidUntil}>{formatDay(subscription.paidUntil)}</time>. To use it, cancel the plan
          under Manage instead, and delete your account after that date.
        </>
      )}
    </p>
  )
}
