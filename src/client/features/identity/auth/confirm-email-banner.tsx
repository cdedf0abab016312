import { lazy, Suspense } from 'react'
import { Link } from 'react-router'
import { useSession } from '#client/lib/session.ts'

const ResendConfirmation = lazy(() => import('./resend-confirmation.tsx'))

/** Shown until the email address is confirmed. */
export function ConfirmEmailBanner() {
  const { user } = useSession()
  const email = user?.email
  if (!email || user.email_confirmed_at) return null
  return (
    <section aria-label="Confirm your email" className="border-b border-line bg-sunken print:hidden">
      <div className="page flex flex-wrap items-center justify-between gap-x-6 py-1.5 text-sm max-sm:pt-3 max-sm:in-data-[mode=sandbox]:pt-6">
        <p className="wrap-anywhere">
          <strong className="font-semibold">Confirm your email address.</strong>{' '}
          <span className="text-muted">We sent you a link and a code.</span>
        </p>
        <div className="-mx-3 flex flex-wrap items-center">
          <Link
            to="/auth/confirm"
            className="inline-flex min-h-11 items-center rounded-md px-3 font-semibold text-primary underline underline-offset-4 hover:text-primary-hover sm:min-h-9"
          >
            Enter code
          </Link>
          <Suspense fallback={<span className="inline-block min-h-11 w-28 sm:min-h-9" />}>
            <ResendConfirmation email={email} />
          </Suspense>
        </div>
      </div>
    </section>
  )
}
