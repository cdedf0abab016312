import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { usePageTitle } from '#client/ui/use-page-title.ts'
import { SiteFrame } from './site-frame.tsx'

type AuthFrameProps = {
  title: string
  /** The back link above the title. */
  back?: { to: string; label: string }
  wide?: boolean
  children: ReactNode
}

/** A single centered column for sign-in and related pages. */
export function AuthFrame({ title, back, wide = false, children }: AuthFrameProps) {
  usePageTitle(title)
  return (
    <SiteFrame>
      <div className="page pt-6 pb-16 sm:pt-10 sm:pb-24">
        <div className={wide ? 'mx-auto max-w-2xl' : 'mx-auto max-w-sm'}>
          {back && (
            <Link
              to={back.to}
              className="-ml-1 inline-flex min-h-11 items-center gap-1.5 rounded-sm text-muted hover:text-ink"
            >
              <ArrowLeft aria-hidden className="size-4" strokeWidth={1.75} />
              {back.label}
            </Link>
          )}
          <h1 className="display mt-4 mb-8 text-3xl">{title}</h1>
          {children}
        </div>
      </div>
    </SiteFrame>
  )
}

export const backToSignIn = { to: '/auth', label: 'Back to sign in' } as const
