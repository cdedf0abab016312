import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { asPlanKey } from '#client/features/billing/subscriptions/checkout-path.ts'
import {
  clearDraft,
  emptyDraft,
  isDraftOf,
  type OnboardingDraft,
  readDraft,
  saveDraft,
} from '#client/features/reader/onboarding/onboarding-draft.ts'
import { preferencesQuery } from '#client/features/reader/preferences/preferences.api.ts'
import { useSession } from '#client/lib/session.ts'
import type { PlanKey } from '#shared/domain/plans.ts'

type Onboarding = {
  /** `unknown` while loading whether the questions were answered on another device. */
  status: 'none' | 'unknown' | 'open'
  draft: OnboardingDraft | null
  begin: (email: string, plan: PlanKey | null) => void
  /** Keeps the draft in storage until the email address is confirmed. */
  suspend: () => void
  forget: () => void
}

/**
 * Tells whether onboarding is due and returns its draft. Onboarding starts after a sign-up in this tab, resumes from the
 * draft in local storage, or starts over if a confirmation link was opened in another browser.
 */
export function useOnboarding(arrivedByConfirmation: boolean): Onboarding {
  const { user } = useSession()
  const [begun, setBegun] = useState<OnboardingDraft | null>(null)
  const [kept, setKept] = useState(() => {
    const draft = readDraft()
    // The portal would lead here again.
    if (!draft) clearDraft()
    return draft
  })
  const email = user?.email ?? ''
  const isMine = (draft: OnboardingDraft | null) => user !== null && draft !== null && isDraftOf(draft, email)
  const isBegun = isMine(begun)
  const isResumed = !isBegun && (isMine(kept) || (user !== null && arrivedByConfirmation))
  const answers = useQuery({ ...preferencesQuery, enabled: isResumed })
  const isUndecided = isResumed && answers.isPending
  const isAnswered = isResumed && Boolean(answers.data)
  const chosenPlan = asPlanKey(user?.user_metadata.chosen_plan)

  useEffect(() => {
    if (!isResumed || isUndecided) return
    if (isAnswered) {
      clearDraft()
      setKept(null)
    } else {
      // Stays open until the last step: saving its answers must not end onboarding before checkout opens.
      setBegun(kept && isDraftOf(kept, email) ? kept : emptyDraft(email, chosenPlan))
    }
  }, [isResumed, isUndecided, isAnswered, kept, email, chosenPlan])

  return {
    status: isBegun ? 'open' : isResumed && !isAnswered ? 'unknown' : 'none',
    draft: isBegun ? begun : null,
    begin: (address, plan) => {
      const fresh = emptyDraft(address, plan)
      saveDraft(fresh)
      setBegun(fresh)
    },
    suspend: () => {
      setBegun(null)
      setKept(readDraft())
    },
    forget: () => {
      clearDraft()
      setBegun(null)
      setKept(null)
    },
  }
}
