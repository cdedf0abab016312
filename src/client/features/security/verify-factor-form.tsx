import type { ReactNode } from 'react'
import { type CodeSource, useCodeEntry } from '#client/features/auth/use-code-entry.ts'
import { toast } from '#client/lib/toast.ts'
import { CodeField } from '#client/ui/code-field.tsx'
import { FormActions } from '#client/ui/form-actions.tsx'
import { useConfirmFactor, useDiscardFactor } from './security.api.ts'

type FirstCodeFormProps = {
  title: string
  label: string
  factor: { factorId: string; challengeId?: string }
  /** "Your phone is set up" */
  done: string
  autoFocus?: boolean
  source?: CodeSource
  onClose: () => void
  /** What can be done meanwhile. */
  children?: ReactNode
}

/** The first right code puts a second step to use; until then nothing has changed at sign-in. */
export function VerifyFactorForm({
  title,
  label,
  factor,
  done,
  autoFocus,
  source,
  onClose,
  children,
}: FirstCodeFormProps) {
  const confirm = useConfirmFactor()
  const discard = useDiscardFactor()
  const { pending, handleSubmit, field } = useCodeEntry(async (code) => {
    await confirm.mutateAsync({ ...factor, code })
    toast.success(done, { description: 'It is asked for from the next sign-in on.' })
    onClose()
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
      <FormActions action="Turn it on" pending={pending} onCancel={handleCancel}>
        {children}
      </FormActions>
    </form>
  )
}
