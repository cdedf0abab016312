import type { ReactNode } from 'react'
import { Button } from '#client/ui/button.tsx'
import { CodeField } from '#client/ui/code-field.tsx'
import { type CodeSource, useSixDigitCode } from './use-six-digit-code.ts'

type CodeFormProps = {
  label: string
  hint?: ReactNode
  action: string
  autoFocus?: boolean
  source?: CodeSource
  /** Rejects if the code is wrong. */
  onCode: (code: string) => Promise<unknown>
}

export function CodeForm({ label, hint, action, autoFocus = true, source, onCode }: CodeFormProps) {
  const { pending, handleSubmit, field } = useSixDigitCode(onCode, source)
  return (
    <form onSubmit={handleSubmit} className="grid gap-5" noValidate>
      <CodeField label={label} hint={hint} autoFocus={autoFocus} {...field} />
      <Button type="submit" pending={pending} block>
        {action}
      </Button>
    </form>
  )
}
