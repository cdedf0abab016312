import { clsx } from 'clsx'
import { type ReactNode, useEffect } from 'react'
import { Navigate } from 'react-router'
import { useOnline } from '#client/lib/connection.ts'
import { CallError } from '#client/lib/error-message.ts'
import { publication } from '#client/lib/publication.ts'
import { toast } from '#client/lib/toast.ts'
import { Button, ButtonLink } from './button.tsx'

type ErrorStateProps = {
  /** The event, in one sentence. */
  title: string
  /** The next step. */
  children?: ReactNode
  onRetry?: () => void
  retrying?: boolean
  action?: ReactNode
}

export function ErrorState({ title, children, onRetry, retrying, action }: ErrorStateProps) {
  useEffect(
    () => () => {
      // A retry that worked removed the button that had the focus.
      if (document.activeElement === document.body) document.getElementById('main')?.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <div role="alert" className="border-y border-line py-12">
      <p className="display text-xl">{title}</p>
      {children && <div className="mt-2 measure text-muted">{children}</div>}
      {(onRetry || action) && (
        <div className="mt-6 flex flex-wrap gap-3">
          {onRetry && (
            <Button variant="secondary" pending={retrying} onClick={onRetry}>
              Try again
            </Button>
          )}
          {action}
        </div>
      )}
    </div>
  )
}

type LoadErrorProps = {
  /** Completes "We couldn’t load …", for example "the weekly drops". */
  what: string
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
}

/** True if the server refuses admin pages until two-factor authentication is set up. */
export const isMfaSetupRequired = (error: unknown): error is CallError =>
  error instanceof CallError && error.code === 'mfa_setup_required'

/** Shown instead of a list or page whose query failed. */
export function LoadError({ what, query }: LoadErrorProps) {
  const { error } = query
  if (isMfaSetupRequired(error)) return <RedirectToSecurity reason={error.message} />
  const code = error instanceof CallError ? error.code : undefined
  if (code === 'not_subscribed') {
    return (
      <ErrorState
        title="You need an active subscription to access the portal"
        action={<ButtonLink to="/#pricing">{publication.labels.choosePlan}</ButtonLink>}
      >
        <p>We keep your account and preferences. The portal opens again when you choose a plan.</p>
      </ErrorState>
    )
  }
  if (code === 'not_authenticated') {
    return (
      <ErrorState
        title="Your session has ended"
        action={<ButtonLink to="/auth">{publication.labels.signIn}</ButtonLink>}
      >
        <p>Sign in again to continue where you left off.</p>
      </ErrorState>
    )
  }
  return (
    <ErrorState title={`We couldn’t load ${what}`} onRetry={() => void query.refetch()} retrying={query.isFetching}>
      <p>
        {code === 'network'
          ? 'We can’t reach the server. Check your connection. We’ll keep trying while this page is open.'
          : 'Something went wrong on our end. Try again in a moment.'}
      </p>
    </ErrorState>
  )
}

function RedirectToSecurity({ reason }: { reason: string }) {
  useEffect(() => {
    toast.error(reason, { id: reason })
  }, [reason])
  return <Navigate to="/account/security" replace />
}

type InlineLoadErrorProps = { children: ReactNode; retrying: boolean; onRetry: () => unknown }

/** Shown instead of a part of a page whose query failed. */
export function InlineLoadError({ children, retrying, onRetry }: InlineLoadErrorProps) {
  return (
    <p role="alert" className="text-muted">
      {children}{' '}
      <Button variant="secondary" size="sm" pending={retrying} onClick={() => void onRetry()}>
        Try again
      </Button>
    </p>
  )
}

/**
 * Wraps a skeleton; screen readers hear "Loading...". Offline it explains what is missing. Queries resume when the browser
 * is back online.
 */
export function LoadingPlaceholder({ children }: { children: ReactNode }) {
  const online = useOnline()
  if (!online) {
    return (
      <div role="status" className="border-y border-line py-12">
        <p className="display text-xl">You’re offline</p>
        <p className="mt-2 measure text-muted">This part hasn’t loaded yet. It appears when you’re back online.</p>
      </div>
    )
  }
  return (
    <div aria-busy>
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div aria-hidden>{children}</div>
    </div>
  )
}

/** Reserves the space of content that is loading. Give it the same height as the content. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={clsx('skeleton block', className)} />
}

/** Placeholder lines of text. `height` is the Tailwind class of one line's height. */
export function SkeletonText({
  lines,
  height = 'h-6',
  className,
}: {
  lines: number
  height?: string
  className?: string
}) {
  return (
    <span aria-hidden className={clsx('block', className)}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and never reordered
        <span key={line} className={clsx('flex items-center', height)}>
          <span className={clsx('skeleton block h-3', line === lines - 1 && lines > 1 ? 'w-3/5' : 'w-full')} />
        </span>
      ))}
    </span>
  )
}

type QueryPlaceholderProps = {
  query: { isError: boolean; error: unknown; isFetching: boolean; refetch: () => unknown }
  /** Completes "We couldn’t load …", for example "the weekly drops". */
  what: string
  lines?: number
  /** The Tailwind class of one line's height. */
  height?: string
  className?: string
  /** In place of lines, for content of another shape. */
  skeleton?: ReactNode
}

/** Shown instead of a query's data while there is none: its error, or a skeleton of what is loading. */
export const QueryPlaceholder = ({ query, what, lines = 1, skeleton, ...text }: QueryPlaceholderProps) =>
  query.isError ? (
    <LoadError what={what} query={query} />
  ) : (
    <LoadingPlaceholder>{skeleton ?? <SkeletonText lines={lines} {...text} />}</LoadingPlaceholder>
  )
