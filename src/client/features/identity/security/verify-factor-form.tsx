import type { ReactNode } from 'react'
import { type CodeSource, useSixDigitCode } from '#client/features/identity/auth/use-six-digit-code.ts'
import { CodeField } from '#client/ui/code-field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { useDiscardFactor, useVerifyFactor } from './security.api.ts'

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
