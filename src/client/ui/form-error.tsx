import { clsx } from 'clsx'
import type { ReactNode } from 'react'

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
