import { type ComponentProps, useEffect } from 'react'
import { Navigate } from 'react-router'
import { CallError } from '#client/lib/call-error.ts'
import { toast } from '#client/lib/toast.ts'
import { LoadError } from '../portal/load-error.tsx'

export const needsSecondStep = (error: unknown): error is CallError =>
  error instanceof CallError && error.code === 'mfa_setup_required'

/** In place of an admin page that did not come. An admin without a second step is led to where it is set up. */
export function AdminLoadError(props: ComponentProps<typeof LoadError>) {
  if (needsSecondStep(props.error)) return <LedToSecurity because={props.error.message} />
  return <LoadError {...props} />
}

function LedToSecurity({ because }: { because: string }) {
  useEffect(() => {
    toast.error(because, { id: because })
  }, [because])
  return <Navigate to="/account/security" replace />
}
