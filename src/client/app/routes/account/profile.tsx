import type { User } from '@supabase/auth-js'
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type SubmitEvent, useId, useState } from 'react'
import { Link } from 'react-router'
import { ResendButton } from '#client/features/identity/auth/resend-button.tsx'
import { securityOverviewQuery } from '#client/features/identity/auth/security-overview.api.ts'
import { useSixDigitCode } from '#client/features/identity/auth/use-six-digit-code.ts'
import { NameField } from '#client/features/reader/comments/comment-form.tsx'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { submitHandler, useChange, useInvalidate, useSensitiveMutation } from '#client/lib/changes.ts'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { ownWords, publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button } from '#client/ui/button.tsx'
import { CodeField } from '#client/ui/code-field.tsx'
import { CopyableText } from '#client/ui/copyable-text.tsx'
import { FormActions, FormError, TextField } from '#client/ui/form.tsx'
import { LoadError, LoadingPlaceholder, Skeleton, SkeletonText } from '#client/ui/loading.tsx'
import { Panel, Section } from '#client/ui/page-parts.tsx'
import { Property, PropertyList } from '#client/ui/property-list.tsx'
import { Tag } from '#client/ui/tag.tsx'
import { Timestamp } from '#client/ui/timestamp.tsx'
import { useFocusWhenShown } from '#client/ui/use-focus-when-shown.ts'
import { commentNameCall } from '#shared/contracts/reader/comments.ts'
import { formatDay } from '#shared/domain/format.ts'

export function Component() {
  const account = useQuery(accountQuery)
  return (
    <>
      {account.data ? (
        <div>
          <EmailSection user={account.data} />
          <NameSection user={account.data} />
          {publication.comments !== 'off' && <ShownName />}
          <AccountDetails user={account.data} />
        </div>
      ) : account.isError ? (
        <LoadError what="your account" query={account} />
      ) : (
        <LoadingPlaceholder>
          <SkeletonText lines={1} height="h-7" className="w-48 max-w-full" />
          <SkeletonText lines={2} height="h-8" className="mt-2 max-w-96" />
          <Skeleton className="mt-5 h-11 w-40 max-w-full" />
          <Skeleton className="mt-16 h-44" />
        </LoadingPlaceholder>
      )}
    </>
  )
}

function AccountDetails({ user }: { user: User }) {
  return (
    <Section title="Account details">
      <PropertyList>
        <Property name="Member since">
          <time dateTime={user.created_at}>{formatDay(user.created_at)}</time>
        </Property>
        {user.last_sign_in_at && (
          <Property name="Last sign-in">
            <Timestamp at={user.last_sign_in_at} />
          </Property>
        )}
        <Property name="Account ID">
          <CopyableText text={user.id} what="account ID" />
        </Property>
      </PropertyList>
    </Section>
  )
}

function NameSection({ user }: { user: User }) {
  const change = useChangeName()
  const name: unknown = user.user_metadata.full_name
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (change.isPending) return
    const wanted = String(new FormData(event.currentTarget).get('name')).trim()
    change.mutate(wanted, { onSuccess: () => toast.success('Your name was saved', { id: 'name' }) })
  }
  return (
    <Section title="Name" lede="Optional. Your emails greet you by name. Only you and our staff see it.">
      <form onSubmit={handleSubmit} className="grid max-w-md gap-4">
        <TextField
          label="Your name"
          name="name"
          autoComplete="name"
          maxLength={100}
          defaultValue={typeof name === 'string' ? name : ''}
        />
        <FormError>{formErrorMessage(change.error)}</FormError>
        <div>
          <Button type="submit" variant="secondary" pending={change.isPending}>
            Save name
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** The display name of answers under drops, once there is one. */
function ShownName() {
  const { data } = useQuery(alwaysStaleQuery(['comment-name'], commentNameCall, {}))
  const change = useChange(commentNameCall, { done: 'Your name was saved' })
  if (!data?.name) return null
  return (
    <Section title="Name on your answers">
      <form
        onSubmit={submitHandler(change, (text) => change.mutate({ save: text('shownName') }))}
        className="grid max-w-md gap-4"
      >
        <NameField own={data.name} />
        <FormError>{formErrorMessage(change.error)}</FormError>
        <div>
          <Button type="submit" variant="secondary" pending={change.isPending}>
            Save display name
          </Button>
        </div>
      </form>
    </Section>
  )
}

function EmailSection({ user }: { user: User }) {
  const [open, setOpen] = useState(false)
  const { ref, focusWhenShown } = useFocusWhenShown()
  const { data: overview } = useQuery(securityOverviewQuery)
  const email = user.email ?? ''
  const isConfirmed = Boolean(user.email_confirmed_at)
  // Assume the strict rule while loading.
  const needsBoth = isConfirmed && overview?.secureEmailChange !== false
  return (
    <Section title="Email address" lede={ownWords`You sign in with it and receive your weekly drops there.`}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-lg [overflow-wrap:anywhere]">
        <span>{email || 'None yet'}</span>
        {email && (isConfirmed ? <Tag tone="primary">Confirmed</Tag> : <Tag tone="accent">Not confirmed yet</Tag>)}
      </p>
      {email && !isConfirmed && (
        <p className="mt-2 max-w-[60ch] text-muted">
          Until you confirm it, you can’t reset your password by email.{' '}
          <Link to="/auth/confirm" className="text-link">
            Enter the code from the email
          </Link>
        </p>
      )}
      {user.new_email && <PendingEmailChange currentEmail={needsBoth ? email : null} newEmail={user.new_email} />}
      {open ? (
        <EmailForm
          needsBoth={needsBoth}
          onClose={() => {
            focusWhenShown()
            setOpen(false)
          }}
        />
      ) : (
        <Button ref={ref} variant="secondary" className="mt-5" onClick={() => setOpen(true)}>
          {user.new_email ? 'Use a different email' : 'Change email'}
        </Button>
      )}
    </Section>
  )
}

function EmailForm({ needsBoth, onClose }: { needsBoth: boolean; onClose: () => void }) {
  const change = useChangeEmail()
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const email = String(new FormData(event.currentTarget).get('email')).trim()
    if (!change.isPending) change.mutate(email, { onSuccess: onClose })
  }
  return (
    <div className="mt-5">
      <Panel label="Change email">
        <form onSubmit={handleSubmit} className="grid max-w-md gap-5">
          <TextField
            label="New email"
            name="email"
            type="email"
            autoComplete="email"
            inputMode="email"
            maxLength={320}
            required
            autoFocus
            hint={
              needsBoth
                ? 'We’ll email both your new and your current address. Nothing changes until you confirm both, so access to one inbox isn’t enough to take over your account.'
                : 'We’ll send a confirmation to it. Nothing changes until you confirm.'
            }
          />
          <FormActions action="Change email" change={change} onCancel={onClose} />
        </form>
      </Panel>
    </div>
  )
}

type EmailChangeCodeFormProps = {
  email: string
  /** Rejects if the code is wrong. */
  onCode: (code: string) => Promise<unknown>
}

/** Takes the code that was emailed to one of the addresses. */
function EmailChangeCodeForm({ email, onCode }: EmailChangeCodeFormProps) {
  const { pending, handleSubmit, field } = useSixDigitCode(onCode)
  const id = useId()
  return (
    <form onSubmit={handleSubmit} aria-labelledby={id} className="grid max-w-md gap-3" noValidate>
      <span id={id} className="sr-only">
        Confirm {email}
      </span>
      <CodeField label={`Code sent to ${email}`} {...field} />
      <div>
        <Button type="submit" variant="secondary" pending={pending}>
          Confirm
        </Button>
      </div>
    </form>
  )
}

type PendingEmailChangeProps = {
  /** Set if the current address has to confirm as well. */
  currentEmail: string | null
  newEmail: string
}

/** An email change that has to be confirmed, by the links in the emails or by their codes here. */
function PendingEmailChange({ currentEmail, newEmail }: PendingEmailChangeProps) {
  const [confirmed, setConfirmed] = useState<readonly string[]>([])
  const { mutateAsync } = useConfirmNewEmail()
  const handleCode = async (email: string, code: string) => {
    await mutateAsync({ email, code })
    setConfirmed((before) => [...before, email])
  }
  const resend = useResendEmailChange()
  const emails = currentEmail ? [newEmail, currentEmail] : [newEmail]
  // The server sends one email per request.
  const waiting = emails.filter((email) => !confirmed.includes(email))
  return (
    <div className="mt-5">
      <Panel label="Pending email change">
        <h4 className="font-semibold [overflow-wrap:anywhere]">Confirm {newEmail}</h4>
        <p className="mt-1 max-w-[60ch] text-sm text-muted">
          {currentEmail
            ? 'We sent a link and a code to both addresses. Open both links or enter both codes, in any order. Skip any you’ve already confirmed.'
            : 'We sent it a link and a code. Open the link or enter the code here.'}
        </p>
        <ul className="mt-5 grid gap-6 md:grid-cols-2">
          {emails.map((email) => (
            <li key={email} className="min-w-0">
              {confirmed.includes(email) ? (
                <p className="flex items-start gap-2 [overflow-wrap:anywhere]">
                  <Check aria-hidden className="mt-0.5 size-5 shrink-0 text-success" strokeWidth={1.75} />
                  {email} is confirmed.
                </p>
              ) : (
                <EmailChangeCodeForm email={email} onCode={(code) => handleCode(email, code)} />
              )}
            </li>
          ))}
        </ul>
        <div className="mt-6 border-t border-line pt-4">
          <div className="-ml-3">
            <ResendButton
              label={waiting.length > 1 ? 'Resend emails' : 'Resend email'}
              waitFirst={0}
              variant="quiet"
              onSend={() => Promise.all(waiting.map((email) => resend.mutateAsync(email)))}
            />
          </div>
        </div>
      </Panel>
    </div>
  )
}

/** The current user record. The one in the session can be an hour old. */
const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async () => orThrow(await (await loadBackend()).auth.getUser()).user,
  staleTime: 0,
})

/** The page that links in these emails open. */
const redirectOptions = () => ({ emailRedirectTo: `${window.location.origin}/account/profile` })

const useRefreshAccount = () => useInvalidate(accountQuery.queryKey)

function useChangeEmail() {
  const refresh = useRefreshAccount()
  return useSensitiveMutation({
    mutationFn: async (email: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.updateUser({ email }, redirectOptions())
      if (error) throw error
    },
    onSuccess: refresh,
  })
}

/** An empty name removes it. */
function useChangeName() {
  const refresh = useRefreshAccount()
  return useSensitiveMutation({
    mutationFn: async (name: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.updateUser({ data: { full_name: name || null } })
      if (error) throw error
    },
    onSuccess: refresh,
  })
}

/** Resolves to whether the change is done. If both addresses have to confirm, the first code isn't enough. */
function useConfirmNewEmail() {
  const refresh = useRefreshAccount()
  return useMutation({
    mutationFn: async ({ email, code }: { email: string; code: string }) => {
      const { auth } = await loadBackend()
      const { data, error } = await auth.verifyOtp({ type: 'email_change', email, token: code })
      if (error) throw error
      return { done: data.session !== null }
    },
    onSuccess: ({ done }) => {
      // Shown here, because the form unmounts when the change is done.
      if (done) toast.success('Your email was changed', { id: 'email' })
      return refresh()
    },
  })
}

function useResendEmailChange() {
  return useMutation({
    mutationFn: async (email: string) => {
      const { auth } = await loadBackend()
      const { error } = await auth.resend({ type: 'email_change', email, options: redirectOptions() })
      if (error) throw error
    },
  })
}
