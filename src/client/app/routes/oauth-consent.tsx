import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { alwaysStaleQuery } from '#client/lib/calls.ts'
import { useChange } from '#client/lib/changes.ts'
import { errorMessage, isTransient } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { useSession } from '#client/lib/session.ts'
import { Button, ButtonLink } from '#client/ui/button.tsx'
import { Choice, ChoiceGroup } from '#client/ui/choice.tsx'
import { FormError } from '#client/ui/form.tsx'
import { Skeleton } from '#client/ui/loading.tsx'
import {
  answerConnectionRequestCall,
  type ConnectionRequest,
  connectionRequestCall,
} from '#shared/contracts/identity/connections.ts'
import { connectionRights, type Right, rightsFor } from '#shared/domain/connection-rights.ts'
import { AuthFrame } from '../layouts/auth-frame.tsx'

/** Where an assistant sends people to decide what it may do. The guard has them sign in first. */
export function Component() {
  const authorizationId = useSearchParams()[0].get('authorization_id') ?? ''
  const query = alwaysStaleQuery(['connection-request', authorizationId], connectionRequestCall, { authorizationId })
  const { data, error, isFetching, refetch } = useQuery({ ...query, refetchOnWindowFocus: false })
  return (
    <AuthFrame title="Connect an assistant">
      {data ? (
        <ConsentForm request={data} authorizationId={authorizationId} />
      ) : error ? (
        <div className="grid gap-8">
          <p role="alert" className="text-lg">
            {isTransient(error)
              ? errorMessage(error)
              : 'This request has expired or was already answered. Start again in the assistant.'}
          </p>
          {isTransient(error) ? (
            <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          ) : (
            <ButtonLink to="/account/assistants" variant="secondary" block>
              Connected assistants
            </ButtonLink>
          )}
        </div>
      ) : (
        <Skeleton className="h-96" />
      )}
    </AuthFrame>
  )
}

const targetText = ({ kind, name }: ConnectionRequest['target']) =>
  ({
    website: `The website ${name}`,
    'this-device': `A program on this device (${name})`,
    app: `The app on this device that opens ${name} links`,
  })[kind]

function ConsentForm({ request, authorizationId }: { request: ConnectionRequest; authorizationId: string }) {
  const { user } = useSession()
  const { name, publishedBy, target, rights, isConnected } = request
  // What only staff can give is never ticked for them.
  const [chosen, setChosen] = useState<readonly Right[]>(() => rightsFor(rights, null))
  const [isAllowed, setIsAllowed] = useState<boolean | null>(null)
  const answer = useChange(answerConnectionRequestCall)
  const shownName = name || 'An assistant without a name'

  const decide = (given: readonly Right[] | null) =>
    answer.mutate(
      { authorizationId, rights: given && [...given] },
      {
        onSuccess: ({ redirectUrl }) => {
          setIsAllowed(given !== null)
          location.assign(redirectUrl)
        },
      },
    )
  if (isAllowed !== null) {
    return (
      <p role="status" className="text-lg">
        {isAllowed ? 'Connected. Go back to the assistant.' : 'Nothing was connected.'} You can close this page.
      </p>
    )
  }
  return (
    <form
      className="grid gap-6 wrap-anywhere"
      onSubmit={(event) => {
        event.preventDefault()
        decide(chosen)
      }}
    >
      <div className="grid gap-3">
        <p className="text-lg">
          <strong className="font-semibold">{shownName}</strong> wants to use your {publication.name} account{' '}
          <strong className="font-semibold">{user?.email}</strong>.
        </p>
        <dl className="text-sm">
          <dt className="text-muted">Who gets access</dt>
          <dd className="font-semibold">{targetText(target)}</dd>
        </dl>
        <p className="text-sm text-muted">
          {publishedBy
            ? `${publishedBy} publishes this name. We haven’t checked it.`
            : 'We haven’t checked the name: any program can use it.'}{' '}
          Continue only if you just started this in your assistant.
        </p>
        {isConnected && <p className="text-sm">You connected it before. Your new choice replaces the earlier one.</p>}
      </div>
      {rights.length === 0 ? (
        <p role="status">It asks for access that your account can’t give, or that {publication.name} doesn’t allow.</p>
      ) : (
        <ChoiceGroup legend="What it can do">
          {connectionRights
            .filter(({ right }) => rights.includes(right))
            .map(({ right, label }) => (
              <Choice
                key={right}
                type="checkbox"
                label={label}
                checked={chosen.includes(right)}
                onChange={({ target: { checked } }) =>
                  setChosen(checked ? [...chosen, right] : chosen.filter((other) => other !== right))
                }
              />
            ))}
        </ChoiceGroup>
      )}
      <p className="text-sm text-muted">
        It never sees your password and can’t change your account or plan. You can disconnect it anytime under Account,
        Assistants.
      </p>
      <FormError>{answer.error ? errorMessage(answer.error) : null}</FormError>
      <div className="grid gap-3">
        <Button type="submit" block disabled={chosen.length === 0} pending={answer.isPending}>
          Allow access
        </Button>
        <Button type="button" variant="secondary" block pending={answer.isPending} onClick={() => decide(null)}>
          Don’t allow
        </Button>
      </div>
    </form>
  )
}
