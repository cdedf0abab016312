import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { securityOverviewQuery } from '#client/features/identity/auth/security-overview.api.ts'
import type { StepUpRequest } from '#client/lib/step-up.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { factorsQuery } from '../security.api.ts'
import { StepUpForm } from './step-up-form.tsx'
import { optionLabel, stepUpOptions } from './step-up-options.ts'

/** Asks the user to confirm their identity, then continues the action that required it. */
export default function StepUpDialog({ request }: { request: StepUpRequest }) {
  // The cached methods may have changed on another device.
  const overview = useQuery({ ...securityOverviewQuery, staleTime: 0 })
  const factors = useQuery({ ...factorsQuery, staleTime: 0 })
  const failed = overview.error ?? factors.error

  return (
    <Dialog title="Confirm it’s you" onClose={() => request.answer(false)}>
      <p className="mt-2 text-muted">
        {request.need === 'second-factor'
          ? 'This requires two-step verification, even though you’re signed in.'
          : 'It’s been a while. We ask again so that no one can change your account on an unattended device.'}
      </p>
      <div className="mt-5">
        {overview.data && factors.data ? (
          <Options
            key={request.need}
            options={stepUpOptions({
              need: request.need,
              methods: overview.data.stepUp.methods,
              factors: factors.data,
              backupCodesLeft: overview.data.backupCodes.left,
            })}
            onConfirmed={() => request.answer(true)}
          />
        ) : failed ? (
          <div role="alert">
            <p className="text-danger">We couldn’t load your options. Nothing was changed.</p>
            <Button
              variant="secondary"
              className="mt-4"
              pending={overview.isFetching || factors.isFetching}
              onClick={() => {
                void overview.refetch()
                void factors.refetch()
              }}
            >
              Try again
            </Button>
          </div>
        ) : (
          <LoadingPlaceholder>
            <SkeletonText lines={1} className="w-24" />
            <Skeleton className="mt-1.5 h-11" />
            <Skeleton className="mt-5 h-11" />
          </LoadingPlaceholder>
        )}
      </div>
    </Dialog>
  )
}

type OptionsProps = { options: ReturnType<typeof stepUpOptions>; onConfirmed: () => void }

function Options({ options, onConfirmed }: OptionsProps) {
  const [chosen, setChosen] = useState(0)
  // By index, because a refetch replaces the options while the form is open.
  const option = options[chosen] ?? options[0]
  if (!option) {
    return <p role="alert">You can’t confirm from here. Sign out, sign in again, and then try your change again.</p>
  }
  const others = options.map((other, index) => ({ other, index })).filter(({ other }) => other !== option)
  return (
    <>
      <StepUpForm key={chosen} option={option} onConfirmed={onConfirmed} />
      {others.length > 0 && (
        <div className="mt-6 border-t border-line pt-4">
          <p className="text-sm text-muted">Other options:</p>
          <ul className="-mx-3 mt-1">
            {others.map(({ other, index }) => (
              <li key={index}>
                <Button variant="quiet" size="sm" onClick={() => setChosen(index)}>
                  {optionLabel(other)}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
