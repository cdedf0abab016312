import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type CodeSource, useSixDigitCode } from '#client/features/identity/auth/use-six-digit-code.ts'
import { useSensitiveMutation } from '#client/lib/changes.ts'
import { loadBackend } from '#client/lib/load-backend.ts'
import { orThrow } from '#client/lib/or-throw.ts'
import { CodeField } from '#client/ui/code-field.tsx'
import { FormActions } from '#client/ui/form.tsx'
import { useRefreshSecurity } from './security.api.ts'

/** Removes the factor of a canceled setup. If it fails, the next setup removes it. */
function useDiscardFactor() {
  return useMutation({
    mutationFn: async (factorId: string) => (await loadBackend()).auth.mfa.unenroll({ factorId }),
  })
}

/** Verifies a new factor with its first code. Without `challengeId` (authenticator apps) it starts a challenge itself. */
function useVerifyFactor() {
  const refresh = useRefreshSecurity()
  return useSensitiveMutation({
    mutationFn: async ({ factorId, challengeId, code }: { factorId: string; challengeId?: string; code: string }) => {
      const { auth } = await loadBackend()
      if (challengeId) orThrow(await auth.mfa.verify({ factorId, challengeId, code }))
      else orThrow(await auth.mfa.challengeAndVerify({ factorId, code }))
    },
    onSuccess: refresh,
  })
}

type VerifyFactorFormProps = {
  title: string
  label: string
  factor: { factorId: string; challengeId?: string }
  /** Success message, such as "Your phone is set up". */
  done: string
  autoFocus?: boolean
  source?: CodeSource
  onAdded: (done: string) => void
  onClose: () => void
  /** More buttons beside the form actions. */
  children?: ReactNode
}

/** Verifies a new factor with its first code. Until then it isn't required at sign-in. */
export function VerifyFactorForm({
  title,
  label,
  factor,
  done,
  autoFocus,
  source,
  onAdded,
  onClose,
  children,
}: VerifyFactorFormProps) {
  const confirm = useVerifyFactor()
  const discard = useDiscardFactor()
  const { pending, handleSubmit, field } = useSixDigitCode(async (code) => {
    await confirm.mutateAsync({ ...factor, code })
    onAdded(done)
  }, source)
  const handleCancel = () => {
    discard.mutate(factor.factorId)
    onClose()
  }
  return (
    <form onSubmit={handleSubmit} className="grid max-w-md gap-5" noValidate>
      <h4 className="font-semibold">{title}</h4>
      <div className="max-w-64">
        <CodeField label={label} autoFocus={autoFocus} {...field} />
      </div>
      <FormActions action="Turn on" pending={pending} onCancel={handleCancel}>
        {children}
      </FormActions>
    </form>
  )
}
