import { clsx } from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { IconButton } from './button.tsx'
import { Field } from './form.tsx'
import { inputStyles } from './input-styles.ts'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'type'> & {
  label: string
  hint?: ReactNode
  error?: string
}

/** Set `autoComplete` to current-password or new-password for password managers. */
export function PasswordField({ label, hint, error, className, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="relative">
          <input
            type={shown ? 'text' : 'password'}
            className={clsx(inputStyles, 'pr-12', className)}
            spellCheck={false}
            autoCapitalize="none"
            {...control}
            {...rest}
          />
          <IconButton
            icon={shown ? EyeOff : Eye}
            label={shown ? 'Hide password' : 'Show password'}
            aria-controls={control.id}
            className="absolute inset-y-0 right-0"
            onClick={() => setShown(!shown)}
          />
        </div>
      )}
    </Field>
  )
}
