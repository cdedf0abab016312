import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { inputStyles } from './input-styles.ts'

type TextAreaFieldProps = ComponentProps<'textarea'> &
  Pick<FieldProps, 'label' | 'hint' | 'error'> & { fieldClassName?: string }

export const TextAreaField = ({ label, hint, error, fieldClassName, className, ...rest }: TextAreaFieldProps) => (
  <Field label={label} hint={hint} error={error} className={fieldClassName}>
    {(control) => <textarea className={clsx(inputStyles, className)} {...control} {...rest} />}
  </Field>
)
