import { clsx } from 'clsx'
import { type ComponentProps, type ReactNode, useId } from 'react'

type ChoiceProps = Omit<ComponentProps<'input'>, 'type'> & {
  type: 'checkbox' | 'radio'
  label: string
  description?: string
}

/** A large tappable checkbox or radio button around a native input. */
export function Choice({ type, label, description, className, ...rest }: ChoiceProps) {
  const descriptionId = useId()
  return (
    <label
      className={clsx(
        'flex min-h-13 items-start gap-3 rounded-md border border-line-strong bg-surface px-4 py-3.5 transition-colors',
        'hover:border-ink has-checked:border-success has-checked:bg-success-soft has-checked:shadow-[inset_0_0_0_1px_var(--success)]',
        'has-disabled:cursor-not-allowed has-disabled:border-line has-disabled:bg-sunken has-disabled:text-muted has-disabled:hover:border-line',
        'has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
        className,
      )}
    >
      <input
        type={type}
        className="mt-0.5 size-5 shrink-0 focus-visible:outline-none"
        aria-describedby={description ? descriptionId : undefined}
        {...rest}
      />
      <span className="grid gap-0.5">
        <span className="font-semibold">{label}</span>
        {description && (
          <span id={descriptionId} aria-hidden className="text-sm text-muted">
            {description}
          </span>
        )}
      </span>
    </label>
  )
}

type ChoiceChipProps = Omit<ComponentProps<'input'>, 'type'> & { type?: 'checkbox' | 'radio'; label: string }

/** A checkbox or radio button of a short row. */
export const ChoiceChip = ({ type = 'checkbox', label, ...rest }: ChoiceChipProps) => (
  <label className="inline-flex min-h-11 cursor-pointer items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm transition-colors hover:border-ink has-checked:border-success has-checked:bg-success-soft sm:min-h-9 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
    <input type={type} className="size-4 shrink-0 focus-visible:outline-none" {...rest} />
    {label}
  </label>
)

type InlineChoicesProps<T extends string> = {
  legend: string
  options: Readonly<Record<T, string>>
  value: T
  onChange: (value: T) => void
}

/** Radio buttons on one line. The legend is for screen readers. */
export function InlineChoices<T extends string>({ legend, options, value, onChange }: InlineChoicesProps<T>) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-x-5">
      <legend className="sr-only">{legend}</legend>
      {(Object.entries(options) as [T, string][]).map(([option, label]) => (
        <label key={option} className="flex min-h-11 items-center gap-2 text-sm sm:min-h-9">
          <input
            type="radio"
            name={name}
            className="size-5"
            checked={option === value}
            onChange={() => onChange(option)}
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

type ChoiceGroupProps = {
  legend: string
  hint?: ReactNode
  error?: string
  /** Shows two choices side by side on wide screens. */
  columns?: boolean
  children: ReactNode
}

export function ChoiceGroup({ legend, hint, error, columns = false, children }: ChoiceGroupProps) {
  const id = useId()
  return (
    <fieldset aria-describedby={clsx(hint && `${id}-hint`, error && `${id}-error`) || undefined}>
      <legend className="display text-xl">{legend}</legend>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-muted">
          {hint}
        </p>
      )}
      <div className={clsx('mt-4 grid gap-3', columns && 'sm:grid-cols-2')}>{children}</div>
      <p id={`${id}-error`} role="alert" className="mt-3 text-sm font-medium text-danger empty:hidden">
        {error}
      </p>
    </fieldset>
  )
}
