import { clsx } from 'clsx'
import { type ComponentProps, type FormEvent, type ReactNode, useId, useState } from 'react'
import { formErrorMessage } from '#client/lib/error-message.ts'
import { Button } from './button.tsx'
import { inputStyles } from './input-styles.ts'
import { validityMessage } from './validity-message.ts'

const controls = 'input:invalid, select:invalid, textarea:invalid'
const isControl = (target: EventTarget) =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement

/**
 * Shows the browser's constraint validation as text below the field instead of in the browser's bubble. Spread the
 * handlers on an element around the control.
 */
function useValidity() {
  const [invalid, setInvalid] = useState('')

  const handleInvalid = (event: FormEvent) => {
    const { target } = event
    if (!isControl(target)) return
    // Preventing the bubble also prevents the browser from focusing the first invalid field.
    event.preventDefault()
    setInvalid(validityMessage(target))
    if (!target.form || target.form.querySelector(controls) === target) target.focus()
  }
  const handleInput = ({ target }: FormEvent) => {
    if (invalid && isControl(target)) setInvalid(validityMessage(target))
  }
  return { invalid, onInvalidCapture: handleInvalid, onInputCapture: handleInput }
}

type FieldProps = {
  label: string
  hint?: ReactNode
  /** The mistake and how to fix it; announced when it appears. */
  error?: string
  className?: string
  /** Spread these props on the control to connect it to its label, hint and error. */
  children: (control: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': boolean | undefined
  }) => ReactNode
}

/** Connects label, control, hint and error for assistive technology. */
export function Field({ label, hint, error, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const { invalid, ...validity } = useValidity()
  const shown = error || invalid
  const describedBy = [hint ? hintId : '', shown ? errorId : ''].filter(Boolean).join(' ') || undefined
  return (
    <div className={clsx('grid gap-1.5', className)} {...validity}>
      <label htmlFor={id} className="text-sm font-semibold">
        {label}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': shown ? true : undefined })}
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
      <p id={errorId} role="alert" className="text-sm font-medium text-danger empty:hidden">
        {shown}
      </p>
    </div>
  )
}

type SharedProps = Pick<FieldProps, 'label' | 'hint' | 'error'> & { fieldClassName?: string }

type TextFieldProps = ComponentProps<'input'> & SharedProps

export function TextField({ label, hint, error, fieldClassName, className, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} className={fieldClassName}>
      {(control) => <input type={type} className={clsx(inputStyles, className)} {...control} {...rest} />}
    </Field>
  )
}

type TextAreaFieldProps = ComponentProps<'textarea'> & SharedProps

export const TextAreaField = ({ label, hint, error, fieldClassName, className, ...rest }: TextAreaFieldProps) => (
  <Field label={label} hint={hint} error={error} className={fieldClassName}>
    {(control) => <textarea className={clsx(inputStyles, className)} {...control} {...rest} />}
  </Field>
)

type OptionsProps = {
  /** Texts by value. */
  of: Readonly<Record<string, string>> | readonly (readonly [value: string | number, text: string])[]
}

/** The options of a select. */
export const OptionList = ({ of }: OptionsProps) =>
  (Array.isArray(of) ? of : Object.entries(of)).map(([value, text]) => (
    <option key={value} value={value}>
      {text}
    </option>
  ))

type SelectFieldProps = ComponentProps<'select'> & SharedProps & { options?: OptionsProps['of'] }

/** Its children are the first options. */
export const SelectField = ({
  label,
  hint,
  error,
  fieldClassName,
  className,
  options = [],
  children,
  ...rest
}: SelectFieldProps) => (
  <Field label={label} hint={hint} error={error} className={fieldClassName}>
    {(control) => (
      <select className={clsx(inputStyles, className)} {...control} {...rest}>
        {children}
        <OptionList of={options} />
      </select>
    )}
  </Field>
)

type CheckFieldProps = Omit<ComponentProps<'input'>, 'type'> & { label: ReactNode; fieldClassName?: string }

/** A checkbox with its label beside it. */
export const CheckField = ({ label, fieldClassName = 'items-center', ...rest }: CheckFieldProps) => (
  <label className={clsx('flex min-h-11 gap-3', fieldClassName)}>
    <input type="checkbox" className="size-5 shrink-0" {...rest} />
    {label}
  </label>
)

type FormErrorProps = { id?: string; className?: string; children: ReactNode }

/** An error about the whole form; announced when it appears. */
export function FormError({ id, children }: FormErrorProps) {
  return (
    <p
      id={id}
      role="alert"
      className="border-l-3 border-danger bg-danger-soft px-4 py-3 font-medium text-danger empty:hidden"
    >
      {children}
    </p>
  )
}

/** A one-line error, for example under a button. */
export function InlineError({ className, children }: FormErrorProps) {
  return (
    <p role="alert" className={clsx('text-sm font-medium text-danger empty:hidden', className)}>
      {children}
    </p>
  )
}

type FormActionsProps = {
  /** The label of the submit button: "Change address". */
  action: string
  /** What the form makes, if it takes time or can fail. */
  change?: { isPending: boolean; error: Error | null }
  /** Shown in place of the change's error. */
  error?: ReactNode
  variant?: 'primary' | 'danger'
  /** In place of `change`, for a form that shows its error elsewhere. */
  pending?: boolean
  onCancel: () => void
  /** Other buttons, such as "Send a new code". */
  children?: ReactNode
}

/** The end of an inline form: its error, and its submit and cancel buttons. */
export function FormActions(props: FormActionsProps) {
  const { action, change, error, variant = 'primary', pending = change?.isPending ?? false, onCancel, children } = props
  return (
    <>
      {change && <FormError>{error || formErrorMessage(change.error)}</FormError>}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant={variant} pending={pending}>
          {action}
        </Button>
        {children}
        <Button variant="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  )
}
