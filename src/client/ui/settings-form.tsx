import type { ReactNode, SubmitEvent } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from './button.tsx'
import { FormError } from './form.tsx'

type SettingsFormProps<Values> = {
  label: string
  /** Null while a field is invalid. */
  values: Values | null
  save: { mutate: (values: Values) => void; isPending: boolean; error: Error | null }
  /** The label of the button. */
  action?: string
  className: string
  children: ReactNode
}

/** Settings that are saved as a whole. */
export function SettingsForm<Values>(props: SettingsFormProps<Values>) {
  const { label, values, save, action = 'Save', className, children } = props
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!save.isPending && values) save.mutate(values)
  }
  return (
    <form onSubmit={handleSubmit} aria-label={label} className={`grid gap-5 ${className}`}>
      {children}
      <div className="col-span-full grid justify-items-start gap-3">
        <FormError>{formErrorMessage(save.error)}</FormError>
        <Button type="submit" pending={save.isPending}>
          {action}
        </Button>
      </div>
    </form>
  )
}
