import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { Field, type FieldProps } from './field.tsx'
import { inputStyles } from './input-styles.ts'

type SelectFieldProps = ComponentProps<'select'> &
  Pick<FieldProps, 'label' | 'hint' | 'error'> & { fieldClassName?: string }

export const SelectField = ({ label, hint, error, fieldClassName, className, ...rest }: SelectFieldProps) => (
  <Field label={label} hint={hint} error={error} className={fieldClassName}>
    {(control) => <select className={clsx(inputStyles, className)} {...control} {...rest} />}
  </Field>
)
