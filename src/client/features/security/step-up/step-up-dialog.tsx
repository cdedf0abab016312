import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { securityOverviewQuery } from '#client/features/auth/security-overview.api.ts'
import type { StepUpRequest } from '#client/lib/step-up.ts'
import { Button } from '#client/ui/button.tsx'
import { Dialog } from '#client/ui/dialog.tsx'
import { LoadingPlaceholder } from '#client/ui/loading-placeholder.tsx'
import { Skeleton, SkeletonText } from '#client/ui/skeleton.tsx'
import { factorsQuery } from '../security.api.ts'
import { StepUpForm } from './step-up-form.tsx'
import { optionLabel, stepUpOptions } from './step-up-options.ts'

/** Asks who is in front of the screen, in the ways that the account has, and says so to the action that waits. */
export default function StepUpDialog({ question }: { question: StepUpRequest }) {
  // What was known when the page opened may have changed on another device.
  const overview = useQuery({ ...securityOverviewQuery, staleTime: 0 })
  const factors = useQuery({ ...factorsQuery, staleTime: 0 })
  const failed = overview.error ?? factors.error

  return (
    <Dialog title="Confirm it’s you" onClose={() => question.answer(false)}>
      <p className="mt-2 text-muted">
        {question.need === 'second-factor'
          ? 'This needs your second step, even though you are signed in.'
          : 'It has been a while. This keeps a device that was left open from changing your account.'}
      </p>
      <div className="mt-5">
        {overview.data && factors.data ? (
          <Ways
            key={question.need}
            options={stepUpOptions({
              need: question.need,
              methods: overview.data.stepUp.methods,
              factors: factors.data,
              backupCodesLeft: overview.data.backupCodes.left,
            })}
            onConfirmed={() => question.answer(true)}
          />
        ) : failed ? (
          <div role="alert">
            <p className="text-danger">We could not ask the server how you confirm. Nothing was changed.</p>
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

type WaysProps = { options: ReturnType<typeof stepUpOptions>; onConfirmed: () => void }

function Ways({ options, onConfirmed }: WaysProps) {
  const [chosen, setChosen] = useState(0)
  // The list may be fetched anew while the form stands open; the way that was chosen stays the one.
  const option = options[chosen] ?? options[0]
  if (!option) {
    return (
      <p role="alert">
        There is no way to confirm from here. Sign out, sign in again, and then repeat what you wanted to do.
      </p>
    )
  }
  const others = options.map((other, index) => ({ other, index })).filter(({ other }) => other !== option)
  return (
    <>
      <StepUpForm key={chosen} option={option} onConfirmed={onConfirmed} />
      {others.length > 0 && (
        <div className="mt-6 border-t border-line pt-4">
          <p className="text-sm text-muted">Another way:</p>
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
